#include "fovea/tasks/decoder_record.h"

#include <algorithm>
#include <iterator>

#include "fovea/config/config.h"

namespace fovea {
namespace {

/// How much each step had a share in its row, and the last step that had.
void add_halting(const AttentionLayer& layer, const AttentionRecord& seen, Dim sequence,
                 const RecordOptions& options, RunRecord& record) {
  const std::string side(name_of(layer.queries));
  const Tensor shares = seen.matrix(sequence, 0);  // (rows, steps)
  RunRecord::Halting& halted = record.halting.emplace_back(RunRecord::Halting{side, {}});
  for (Dim r = 0; r < shares.rows(); ++r) {
    Dim steps = shares.cols();
    while (steps > 1 && shares.view<float>()[r][steps - 1] == 0) --steps;
    halted.steps.push_back(static_cast<float>(steps));
  }
  if (!matches(options.layers, seen.layer)) return;
  RunRecord::Sequence steps{"steps of the " + side, {}};
  for (Dim t = 1; t <= shares.cols(); ++t) steps.tokens.push_back(concat("step ", t));
  record.sequences.push_back(steps);
  record.add(seen, sequence, side, steps.name);
}

/// The key that each query drew.
void add_drawn(const AttentionLayer& layer, const AttentionRecord& seen, Dim sequence,
               RunRecord& record) {
  if (!record.find(layer.drawn_from)) return;
  const Tensor taken = seen.matrix(sequence, 0);  // (targets, sources)
  RunRecord::Samples samples{.layer = layer.drawn_from, .head = 0, .keys = {}};
  for (Dim r = 0; r < taken.rows(); ++r) {
    const float* row = taken.view<float>()[r];
    samples.keys.push_back({std::max_element(row, row + taken.cols()) - row});
  }
  record.samples.push_back(std::move(samples));
}

/// One step of a text, and which hypothesis of that step it was.
struct CapturedStep {
  const CachedStepper::Capture* capture;
  Dim hypothesis;
};

bool same(const ProbeConfig& a, const ProbeConfig& b) {
  return a.where == b.where && a.keep == b.keep && a.top == b.top && a.heads == b.heads;
}

/// From the first step on; none if one of them captured something else than what is asked for.
std::vector<CapturedStep> steps_of(const Hypothesis& text, const ProbeConfig& asked) {
  std::vector<CapturedStep> steps;
  for (const CapturedSteps* at = text.captured.get(); at; at = at->before.get()) {
    const auto* capture = dynamic_cast<const CachedStepper::Capture*>(at->step.get());
    if (!capture || !same(*capture->asked, asked) || capture->layers.empty()) return {};
    for (const AttentionRecord& layer : capture->layers) {
      if (layer.keep != asked.keep) return {};  // a step of many rows kept less
    }
    steps.push_back({capture, at->hypothesis});
  }
  std::reverse(steps.begin(), steps.end());
  return steps;
}

}  // namespace

AttentionLayers layers_of(const Encoder& encoder, const Decoder& decoder) {
  AttentionLayers all = encoder.attention_layers();
  std::ranges::move(decoder.attention_layers(), std::back_inserter(all));
  return all;
}

void keep_always(const AttentionLayers& layers, Probe& probe) {
  for (const AttentionLayer& layer : layers) {
    if (layer.kind != AttentionLayer::Kind::attention) probe.except({.where = layer.name});
  }
}

void add_layers(const AttentionLayers& layers, const Probe& probe, Dim sequence,
                const std::vector<std::string>& prefix, const RecordOptions& options,
                RunRecord& record) {
  bool has_prefix = false;
  for (const AttentionRecord& seen : probe.records()) {
    const auto layer = std::ranges::find(layers, seen.layer, &AttentionLayer::name);
    FOVEA_CHECK(layer != layers.end(), "look: the model does not declare its layer '", seen.layer,
                "'");
    if (layer->kind == AttentionLayer::Kind::halting) {
      add_halting(*layer, seen, sequence, options, record);
    } else if (layer->kind == AttentionLayer::Kind::drawn) {
      add_drawn(*layer, seen, sequence, record);
    } else {
      if (layer->keys == RowsOf::prefix && !std::exchange(has_prefix, true)) {
        record.sequences.push_back({"prefix", prefix});
      }
      record.add(seen, sequence, std::string(name_of(layer->queries)),
                 std::string(name_of(layer->keys)));
    }
  }
}

bool captures_all(const AttentionLayers& layers, const RecordOptions& options) {
  // What a step captured of all its texts is kept until the last of them is done: it must be small.
  constexpr Dim most = 16;
  if (options.keep != Keep::top || options.top > most || options.words) return false;
  bool some = false;
  for (const AttentionLayer& layer : layers) {
    if (layer.kind != AttentionLayer::Kind::attention) return false;  // it belongs to every record
    if (!matches(options.layers, layer.name)) continue;
    if (!layer.cross()) return false;
    if (!options.heads.empty() && options.heads.back() >= layer.heads) return false;
    some = true;
  }
  return some;
}

bool add_captured(const Hypothesis& text, const RecordOptions& options, RunRecord& record) {
  const std::vector<CapturedStep> steps = steps_of(text, options.probe());
  Dim rows = 0;
  for (const auto& [capture, hypothesis] : steps) {
    rows += capture->layers.front().queries.length(hypothesis);
  }
  if (steps.empty() || rows != std::ssize(record.tokens("target"))) return false;
  for (std::size_t layer = 0; layer < steps.front().capture->layers.size(); ++layer) {
    std::vector<RunRecord::Part> parts;
    for (const auto& [capture, hypothesis] : steps) {
      parts.push_back({&capture->layers[layer], hypothesis});
    }
    record.add(parts, "target", "source");
  }
  return true;
}

}  // namespace fovea
