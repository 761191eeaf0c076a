#include "fovea/tasks/translate/translate_record.h"

#include <algorithm>

#include "fovea/inspect/join_words.h"
#include "fovea/tasks/cached_stepper.h"

namespace fovea {
namespace {

constexpr Dim rows_together = 2048;
constexpr const char* kBegin = "<s>";
constexpr const char* kEnd = "</s>";

/// One side of a pair, as rows of the model have it.
struct Side {
  const Tokenizer& text;
  Ids ids;
  bool backwards = false;                       // written from right to left
  const NeighbourReader* neighbours = nullptr;  // whose pieces stand beside those of the text
};

std::string name_of(const Side& side, std::int32_t id) {
  const SpecialIds& special = side.text.special();
  if (id == special.end) return kEnd;
  if (id == special.begin) return kBegin;
  return side.neighbours ? side.neighbours->piece(id) : side.text.piece(id);
}

std::vector<std::string> pieces_of(const Side& side) {
  std::vector<std::string> names;
  for (const std::int32_t id : side.ids) names.push_back(name_of(side, id));
  return names;
}

/// The number of the word of each piece, of which the first `own` are the text's; those of
/// neighbours stand alone.
std::vector<Dim> numbers_of_words(const Side& side, std::size_t own) {
  std::vector<Dim> numbers = side.text.words(std::span(side.ids).first(own));
  while (numbers.size() < side.ids.size()) {
    numbers.push_back(numbers.empty() ? 0 : numbers.back() + 1);
  }
  return numbers;
}

WordsOfTokens words_of(const Side& side) {
  if (side.backwards) {  // where a word begins is told by the pieces from left to right
    WordsOfTokens words = words_of({side.text, Ids(side.ids.rbegin(), side.ids.rend())});
    std::reverse(words.word.begin(), words.word.end());
    std::reverse(words.names.begin(), words.names.end());
    for (Dim& word : words.word) word = std::ssize(words.names) - 1 - word;
    return words;
  }
  const std::size_t own = side.neighbours ? side.neighbours->own(side.ids) : side.ids.size();
  WordsOfTokens words{.word = numbers_of_words(side, own), .names = {}};
  for (std::size_t i = 0; i < side.ids.size();) {
    std::size_t next = i;
    while (next < side.ids.size() && words.word[next] == words.word[i]) ++next;
    std::string name;
    if (i < own) name = side.text.decode(std::span(side.ids).subspan(i, next - i));
    words.names.push_back(name.empty() ? name_of(side, side.ids[i]) : name);
    i = next;
  }
  return words;
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

/// One pair of a batch that a probe saw.
class Recording {
 public:
  Recording(const TranslationModel& model, const IdPair& pair, const RecordOptions& options)
      : model_(model),
        options_(options),
        source_{.text = model.source, .ids = pair.source, .neighbours = model.neighbours.get()},
        target_{model.target, pair.target},
        prefix_{model.target, {}} {
    const bool reverse = model.recipe.objective.direction == TargetDirection::reverse;
    target_.backwards = prefix_.backwards = reverse;
    if (reverse) std::reverse(target_.ids.begin(), target_.ids.end());
    prefix_.ids = target_.ids;
    prefix_.ids.insert(prefix_.ids.begin(), model.first(reverse));
    target_.ids.push_back(model.target.special().end);
    record_.task = "translate";
    record_.input = model.source.decode(model.own(pair.source));
    record_.output = model.target.decode(pair.target);
    record_.sequences = {{"source", pieces_of(source_)}, {"target", pieces_of(target_)}};
  }

  RunRecord of(const Probe& probe, const AttentionLayers& layers, Dim sequence) && {
    for (const AttentionRecord& seen : probe.records()) {
      const auto layer = std::ranges::find(layers, seen.layer, &AttentionLayer::name);
      FOVEA_CHECK(layer != layers.end(), "look: the model does not declare its layer '", seen.layer,
                  "'");
      switch (layer->kind) {
        case AttentionLayer::Kind::attention:
          attention(*layer, seen, sequence);
          break;
        case AttentionLayer::Kind::halting:
          halting(*layer, seen, sequence);
          break;
        case AttentionLayer::Kind::drawn:
          drawn(*layer, seen, sequence);
          break;
      }
    }
    return finished();
  }

  /// The steps of a text from its first to its last, or nothing if they are not the whole target.
  std::optional<RunRecord> of(std::span<const CapturedStep> steps) && {
    Dim rows = 0;
    for (const auto& [capture, hypothesis] : steps) {
      rows += capture->layers.front().queries.length(hypothesis);
    }
    if (rows != std::ssize(target_.ids)) return {};
    for (std::size_t layer = 0; layer < steps.front().capture->layers.size(); ++layer) {
      std::vector<RunRecord::Part> parts;
      for (const auto& [capture, hypothesis] : steps) {
        parts.push_back({&capture->layers[layer], hypothesis});
      }
      record_.add(parts, "target", "source");
    }
    return finished();
  }

 private:
  RunRecord finished() {
    expect_layers(record_, options_, model_.net.decoder->cross_attention());
    record_.align(model_.alignment_layer_of(*model_.net.decoder), model_.alignment_head());
    if (!options_.words) return std::move(record_);
    return join_words(record_,
                      {{"source", words_of(source_)},
                       {"target", words_of(target_)},
                       {"prefix", words_of(prefix_)}},
                      options_.top_words());
  }

  void attention(const AttentionLayer& layer, const AttentionRecord& seen, Dim sequence) {
    if (layer.keys == RowsOf::prefix && !has_prefix_) {
      record_.sequences.push_back({"prefix", pieces_of(prefix_)});
      has_prefix_ = true;
    }
    record_.add(seen, sequence, std::string(name_of(layer.queries)),
                std::string(name_of(layer.keys)));
  }

  /// How much each step had a share in its row, and the last step that had.
  void halting(const AttentionLayer& layer, const AttentionRecord& seen, Dim sequence) {
    const std::string side(name_of(layer.queries));
    const Tensor shares = seen.matrix(sequence, 0);  // (rows, steps)
    RunRecord::Halting& halted = record_.halting.emplace_back(RunRecord::Halting{side, {}});
    for (Dim r = 0; r < shares.rows(); ++r) {
      Dim steps = shares.cols();
      while (steps > 1 && shares.view<float>()[r][steps - 1] == 0) --steps;
      halted.steps.push_back(static_cast<float>(steps));
    }
    if (!matches(options_.layers, seen.layer)) return;
    RunRecord::Sequence steps{"steps of the " + side, {}};
    for (Dim t = 1; t <= shares.cols(); ++t) steps.tokens.push_back(concat("step ", t));
    record_.sequences.push_back(steps);
    record_.add(seen, sequence, side, steps.name);
  }

  void drawn(const AttentionLayer& layer, const AttentionRecord& seen, Dim sequence) {
    if (!record_.find(layer.drawn_from)) return;
    const Tensor taken = seen.matrix(sequence, 0);  // (targets, sources): 1 where it looked
    RunRecord::Samples samples{.layer = layer.drawn_from, .head = 0, .keys = {}};
    for (Dim r = 0; r < taken.rows(); ++r) {
      const float* row = taken.view<float>()[r];
      samples.keys.push_back({std::max_element(row, row + taken.cols()) - row});
    }
    record_.samples.push_back(std::move(samples));
  }

  const TranslationModel& model_;
  const RecordOptions& options_;
  Side source_, target_, prefix_;
  bool has_prefix_ = false;  // among the sequences: only if a layer looks at it
  RunRecord record_;
};

AttentionLayers layers_of(const EncoderDecoder& net) {
  AttentionLayers all = net.encoder->attention_layers();
  std::ranges::move(net.decoder->attention_layers(), std::back_inserter(all));
  return all;
}

}  // namespace

std::vector<RunRecord> records_of(const TranslationModel& model, std::span<const IdPair> pairs,
                                  const RecordOptions& options) {
  FOVEA_CHECK(!model.net.decoder->cross_attention().empty(),
              "look: this model has no attention, there is nothing to look at");
  const AttentionLayers layers = layers_of(model.net);
  std::vector<RunRecord> all;
  for (std::size_t begin = 0, end = 0; begin < pairs.size(); begin = end) {
    Dim rows = 0;
    do {
      rows += std::ssize(pairs[end].source) + std::ssize(pairs[end].target);
      ++end;
    } while (end < pairs.size() && rows < rows_together);
    ProbeConfig config = options.probe();
    config.limit *= end - begin;  // it is of one text
    Probe probe(std::move(config));
    for (const AttentionLayer& layer : layers) {  // few numbers: kept whatever is asked for
      if (layer.kind != AttentionLayer::Kind::attention) probe.except({.where = layer.name});
    }
    look(model, pairs.subspan(begin, end - begin), probe);
    for (std::size_t i = begin; i < end; ++i) {
      all.push_back(
          Recording(model, pairs[i], options).of(probe, layers, static_cast<Dim>(i - begin)));
    }
  }
  return all;
}

bool seen_while_written(const TranslationModel& model, const RecordOptions& options) {
  // What a step saw of all its texts is kept until the last of them is done: it must be small.
  constexpr Dim most = 16;
  if (options.keep != Keep::top || options.top > most || options.words) return false;
  if (model.recipe.objective.direction != TargetDirection::forward) return false;
  bool some = false;
  for (const AttentionLayer& layer : layers_of(model.net)) {
    if (layer.kind != AttentionLayer::Kind::attention) return false;  // it belongs to every record
    if (!matches(options.layers, layer.name)) continue;
    if (!layer.cross()) return false;
    if (!options.heads.empty() && options.heads.back() >= layer.heads) return false;
    some = true;
  }
  return some;
}

std::optional<RunRecord> record_of(const TranslationModel& model, const Ids& source,
                                   const Hypothesis& target, const RecordOptions& options) {
  if (!target.finished) return {};
  const std::vector<CapturedStep> steps = steps_of(target, options.probe());
  if (steps.empty()) return {};
  return Recording(model, {source, target.ids}, options).of(steps);
}

}  // namespace fovea
