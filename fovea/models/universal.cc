#include "fovea/models/universal.h"

#include <algorithm>
#include <iterator>

#include "fovea/attention/probe.h"
#include "fovea/base/table_check.h"
#include "fovea/ops/dropout.h"
#include "fovea/ops/elementwise.h"

namespace fovea {
namespace {

/// One layer under the name of each step: caches and probes tell the steps apart by it.
template <class Layer>
std::vector<Layer> named_steps(const std::string& name, const Layer& layer, Dim count) {
  std::vector<Layer> steps(static_cast<std::size_t>(count), layer);
  for (std::size_t t = 0; t < steps.size(); ++t) {
    steps[t].self.name = concat(name, ".", t, ".self");
    if constexpr (requires { layer.cross; }) steps[t].cross.name = concat(name, ".", t, ".cross");
  }
  return steps;
}

Embedding table(Scope s, Dim vocabulary, Dim width) {
  return Embedding(s / "tokens", vocabulary, width, {.scaled = true});
}

}  // namespace

void check(const UniversalConfig& c) {
  const TableCheck model("model");
  model.layers("steps", 1, c.steps);
  model.shares({{"margin", c.margin}});
  model.not_negative("ponder", c.ponder);
  TransformerConfig repeated = c;
  repeated.encoder_layers = repeated.decoder_layers = 1;
  check(repeated);
}

Repetition::Repetition(Scope s, const UniversalConfig& c)
    : name(s.name()), config(c), places(s / "places", c.positions, c.longest, c.width) {
  FOVEA_CHECK(c.steps >= 1, ErrorKind::bad_setting, "universal: ", c.steps,
              " steps; at least one is taken");
  if (c.halting) {
    unit.emplace(s / "halting", c.width, HaltingConfig{.steps = c.steps, .margin = c.margin});
  }
  if (c.norm == NormPlace::pre) norm.emplace(s / "norm", c.width);
}

Var Repetition::operator()(Var x, const Segments& segments, std::span<const Dim> begins,
                           const Pass& pass,
                           const std::function<Var(Dim step, const Var& x)>& layer,
                           Var& ponder) const {
  std::optional<Halting> halting;
  if (unit) halting.emplace(*unit, x.rows(), x.dtype());
  // A cache holds the keys of every step, and a probe sees every step, needed or not.
  const bool all = !unit || pass.cache || pass.probe;
  for (Dim t = 0; t < config.steps && (all || t == 0 || halting->running()); ++t) {
    const Tensor step = sinusoidal(Tensor::full({1}, static_cast<double>(t + 1), DType::i32),
                                   config.width, x.dtype());
    const Var placed = add_row(places(x, segments, begins), step.reshape({config.width}));
    const Var after = layer(t, placed);  // (N, W)
    x = halting ? halting->step(x, after) : after;
  }
  if (halting) {
    if (pass.probe) {
      const Segments steps = Segments::uniform(segments.count(), config.steps);
      pass.probe->keep(halting_name(), halting->shares(), pairs_in_reach(segments, steps), segments,
                       steps);
    }
    ponder = halting->cost();
    x = halting->result();
  }
  return norm ? (*norm)(x) : x;
}

void Repetition::add_halting(RowsOf rows, AttentionLayers& layers) const {
  if (!unit) return;
  layers.push_back({halting_name(), rows, RowsOf::steps, 1, AttentionLayer::Kind::halting});
}

UniversalEncoder::UniversalEncoder(Scope s, const UniversalConfig& c)
    : config(c),
      tokens(table(s, c.source_vocabulary, c.width)),
      steps(named_steps(s.name(), EncoderLayer(s / "layer", layer_config(c)), c.steps)),
      repeat(s, c) {}

Encoded UniversalEncoder::operator()(const Sequences& sources, const Pass& pass) const {
  const Dim count = sources.segments.count();
  Encoded out{.rows = {},
              .segments = sources.segments,
              .begins = repeat.places.with_room(drawn_begins(count, config.offset, pass.rng),
                                                sources.segments)};
  const Var x = dropout(tokens(sources.ids), config.dropout, pass.rng);  // (M, W)
  out.rows = repeat(
      x, sources.segments, places_after(seen_by(nullptr, count), out.begins), pass,
      [&](Dim t, const Var& placed) {
        return steps[static_cast<std::size_t>(t)](placed, sources.segments, pass);
      },
      out.ponder);
  return out;
}

AttentionLayers UniversalEncoder::attention_layers() const {
  AttentionLayers all;
  for (const EncoderLayer& step : steps) all.push_back(step.attention_layer());
  repeat.add_halting(RowsOf::source, all);
  return all;
}

UniversalDecoder::UniversalDecoder(Scope s, const UniversalConfig& c, const Embedding& source)
    : config(c),
      tokens(c.tied == Tied::all ? source : table(s, c.target_vocabulary, c.width)),
      steps(named_steps(s.name(), DecoderLayer(s / "layer", layer_config(c)), c.steps)),
      repeat(s, c),
      last(c.tied == Tied::none ? OutputLayer(s / "out", c.target_vocabulary, c.width)
                                : OutputLayer(s / "out", tokens.weight)) {
  FOVEA_CHECK(c.tied != Tied::all || c.source_vocabulary == c.target_vocabulary,
              ErrorKind::bad_setting,
              "universal: tied = \"all\" needs one vocabulary for both sides, found ",
              c.source_vocabulary, " and ", c.target_vocabulary);
}

Decoded UniversalDecoder::decode(const Sequences& targets, const Encoded& source, const Pass& pass,
                                 const DecoderOptions& options) const {
  expect_no_lag(options, "universal decoder");
  expect_no_guide(options, "universal decoder");
  const std::vector<Dim> seen = seen_by(pass.cache, targets.segments.count());
  const Var x = dropout(tokens(targets.ids), config.dropout, pass.rng);  // (N, W)
  const Memory memory = {source.rows, source.segments};
  const std::vector<Dim> begins = repeat.places.with_room(source.begins, targets.segments);
  Decoded out;
  out.rows = repeat(
      x, targets.segments, places_after(seen, begins), pass,
      [&](Dim t, const Var& placed) {
        return steps[static_cast<std::size_t>(t)](placed, targets.segments, memory, pass);
      },
      out.ponder);
  return out;
}

AttentionLayers UniversalDecoder::attention_layers() const {
  AttentionLayers all;
  for (const DecoderLayer& step : steps)
    std::ranges::copy(step.attention_layers(), std::back_inserter(all));
  repeat.add_halting(RowsOf::target, all);
  return all;
}

}  // namespace fovea
