#include "fovea/models/recurrent_translator.h"

#include <algorithm>
#include <numeric>

#include "fovea/attention/cache.h"
#include "fovea/attention/look_recorder.h"
#include "fovea/base/table_check.h"
#include "fovea/models/recurrent_sources.h"
#include "fovea/models/recurrent_steps.h"
#include "fovea/ops/dropout.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/rows.h"
#include "fovea/ops/segment.h"

namespace fovea {
namespace {

using States = RecurrentStack::States;

bool attends(const RecurrentTranslatorConfig& c) { return c.attention.score != Score::none; }

/// Columns of what the decoder reads of the source.
Dim read_width(const RecurrentTranslatorConfig& c) {
  if (attends(c)) return c.bidirectional ? 2 * c.hidden : c.hidden;
  return c.read == ReadOut::before ? c.hidden : 0;  // the encoder's last state
}

/// Columns that a step is given beside its token.
Dim fed_width(const RecurrentTranslatorConfig& c) {
  if (c.read == ReadOut::before) return read_width(c);
  return c.read == ReadOut::feed ? c.embedding : 0;
}

const RecurrentTranslatorConfig& checked(const RecurrentTranslatorConfig& c) {
  FOVEA_CHECK(
      attends(c) || c.read != ReadOut::feed, ErrorKind::bad_setting,
      "model.read = \"feed\": without attention there is nothing to feed; take \"after\", or ",
      "\"before\" to give the encoder's last state to every step");
  FOVEA_CHECK(attends(c) || (c.attention.allocate == Allocation::soft &&
                             c.attention.reach == ReachKind::global),
              ErrorKind::bad_setting,
              "model.attention: a reach and an allocation need a score; set attention.score");
  FOVEA_CHECK(c.layers >= 1, ErrorKind::bad_setting, "model.layers: ", c.layers,
              "; at least one is needed");
  return c;
}

RecurrentConfig stack_of(const RecurrentTranslatorConfig& c, bool bidirectional) {
  return {.layers = c.layers, .bidirectional = bidirectional, .dropout = c.dropout};
}

Sequences reversed(const Sequences& rows) {
  Tensor ids = rows.ids.clone();
  std::int32_t* all = ids.mutable_data<std::int32_t>();
  for (Dim s = 0; s < rows.segments.count(); ++s) {
    std::reverse(all + rows.segments.begin(s), all + rows.segments.end(s));
  }
  return {ids, rows.segments};
}

}  // namespace

void check(const RecurrentTranslatorConfig& c) {
  const TableCheck model("model");
  model.sizes({{"embedding", c.embedding}, {"hidden", c.hidden}});
  model.layers("layers", 1, c.layers);
  model.shares({{"dropout", c.dropout}});
}

RecurrentEncoder::RecurrentEncoder(Scope s, const RecurrentTranslatorConfig& c)
    : config(checked(c)),
      tokens(s / "tokens", c.source_vocabulary, c.embedding, {.scaled = true}),
      layers(s / "layers", c.cell, c.embedding, c.hidden, stack_of(c, c.bidirectional)) {}

Encoded RecurrentEncoder::operator()(const Sequences& sources, const Pass& pass) const {
  FOVEA_CHECK(!pass.cache, "recurrent encoder: it reads whole sources only");
  const Sequences read = config.reversed ? reversed(sources) : sources;
  const Var x = dropout(tokens(read.ids), config.dropout, pass.rng);  // (M, E)
  auto [rows, states] = layers(x, sources.segments, pass);
  if (config.reversed) rows = reverse_rows(rows, sources.segments);
  return {rows, sources.segments, states};
}

RecurrentDecoder::RecurrentDecoder(Scope s, const RecurrentTranslatorConfig& c)
    : config(checked(c)),
      name((s / "cross").name()),
      tokens(s / "tokens", c.target_vocabulary, c.embedding, {.scaled = true}),
      layers(s / "layers", c.cell, c.embedding + fed_width(c), c.hidden, stack_of(c, false)),
      join(s / "join", c.hidden + read_width(c) + (c.read == ReadOut::before ? c.embedding : 0),
           c.embedding, {.activation = Activation::tanh}),
      last(c.tied ? OutputLayer(s / "out", tokens.weight)
                  : OutputLayer(s / "out", c.target_vocabulary, c.embedding)) {
  if (attends(c)) attention.emplace(s / "cross", c.hidden, read_width(c), c.attention);
  if (c.attention.allocate == Allocation::hard) {
    baseline = (s / "cross").buffer("baseline", {1}, init::zeros());
  }
  if (!c.bidirectional) return;
  for (Dim i = 0; i < c.layers * layers.parts(); ++i) {
    bridge.emplace_back(s / "bridge" / i, 2 * c.hidden, c.hidden,
                        LinearConfig{.activation = Activation::tanh});
  }
}

AttentionLayers RecurrentDecoder::attention_layers() const {
  if (!attention) return {};
  AttentionLayers all = {{name, RowsOf::target, RowsOf::source}};
  if (config.attention.allocate == Allocation::hard) {
    all.push_back({.name = LookRecorder::drawn_name(name),
                   .queries = RowsOf::target,
                   .kind = AttentionLayer::Kind::drawn,
                   .drawn_from = name});
  }
  return all;
}

bool RecurrentDecoder::step_by_step() const {
  return attention && (config.read != ReadOut::after || attention->needs_last());
}

States RecurrentDecoder::first_states(const Encoded& source, const Pass& pass) const {
  const auto parts = static_cast<std::size_t>(layers.parts());
  const std::size_t count = static_cast<std::size_t>(config.layers) * parts;
  States states;
  for (std::size_t i = 0; i < count; ++i) {
    const Tensor kept = pass.cache ? pass.cache->state(concat(name, ".state.", i)) : Tensor();
    if (kept.defined()) {
      states.emplace_back(kept);
    } else if (bridge.empty()) {
      states.push_back(source.states[i]);
    } else {  // states of a layer: (forward parts), (reverse parts)
      const std::size_t layer = i / parts, part = i % parts;
      const Var& forward = source.states[2 * layer * parts + part];
      const Var& reverse = source.states[(2 * layer + 1) * parts + part];
      states.push_back(bridge[i](concat_columns({forward, reverse})));
    }
  }
  return states;
}

void RecurrentDecoder::keep_states(const States& states, const Pass& pass) const {
  if (!pass.cache) return;
  for (std::size_t i = 0; i < states.size(); ++i) {
    pass.cache->set_state(concat(name, ".state.", i), states[i].value());
  }
}

Decoded RecurrentDecoder::whole(const Sequences& targets, const Encoded& source,
                                const Pass& pass) const {
  const Segments& segments = targets.segments;
  const Var x = dropout(tokens(targets.ids), config.dropout, pass.rng);  // (N, E)
  States states = first_states(source, pass);
  Var summary;
  if (config.read == ReadOut::before) {  // Cho et al. 2014: the encoder's last state, at every step
    const Tensor kept = pass.cache ? pass.cache->state(name + ".summary") : Tensor();
    const Var state = kept.defined() ? Var(kept) : layers.top(states);
    if (pass.cache) pass.cache->set_state(name + ".summary", state.value());
    summary = repeat_rows(state, segments);  // (N, H)
  }
  const auto [rows, after] =
      layers(summary.defined() ? concat_columns({x, summary}) : x, segments, pass, states);
  keep_states(after, pass);
  if (summary.defined()) return {join(concat_columns({rows, summary, x}))};
  if (!attention) return {join(rows)};

  const RecurrentSources sources = sources_of(*attention, name, source, pass);
  const std::vector<Dim> before = places_before(name, segments.count(), pass);
  Askers askers{.begin = {}, .length = {}, .place = {}, .sequences = segments};
  for (std::size_t s = 0; s < before.size(); ++s) {
    for (Dim t = 0; t < segments.length(static_cast<Dim>(s)); ++t) {
      askers.begin.push_back(sources.begin[s]);
      askers.length.push_back(sources.length[s]);
      askers.place.push_back(before[s] + t);
    }
  }
  const Look look = (*attention)(rows, sources.at, askers, {}, pass);
  keep_places(name, before, segments, pass);
  std::vector<Dim> all(static_cast<std::size_t>(segments.rows()));
  std::iota(all.begin(), all.end(), 0);
  LookRecorder recorder(pass.probe, segments, sources.length);
  recorder.add(look, askers, all);
  recorder.finish(name);
  return {.rows = join(concat_columns({rows, look.context})),
          .drawn = {look.log_probability, look.entropy, baseline}};
}

Decoded RecurrentDecoder::decode(const Sequences& targets, const Encoded& source, const Pass& pass,
                                 const DecoderOptions& options) const {
  expect_no_lag(options, "recurrent decoder");
  expect_no_guide(options, "recurrent decoder");
  Decoded out = step_by_step() ? RecurrentSteps(*this, targets, source, pass).run()
                               : whole(targets, source, pass);
  out.rows = dropout(out.rows, config.dropout, pass.rng);
  return out;
}

}  // namespace fovea
