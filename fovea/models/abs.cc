#include "fovea/models/abs.h"

#include "fovea/attention/cache.h"
#include "fovea/attention/probe.h"
#include "fovea/base/table_check.h"
#include "fovea/ops/attend.h"
#include "fovea/ops/convolution.h"
#include "fovea/ops/dropout.h"
#include "fovea/ops/pooling.h"
#include "fovea/ops/rows.h"

namespace fovea {
namespace {

constexpr std::int32_t none = -1;  // in the place of a word before the first

const AbsConfig& checked(const AbsConfig& c) {
  check(c);
  return c;
}

}  // namespace

void check(const AbsConfig& c) {
  const TableCheck model("model");
  model.sizes({{"embedding", c.embedding}, {"hidden", c.hidden}, {"context", c.context}});
  model.at_least("smoothing", 0, c.smoothing);
  model.shares({{"dropout", c.dropout}});
}

AbsEncoder::AbsEncoder(Scope s, const AbsConfig& c)
    : config(checked(c)),
      // As large as in the authors' code: scores then differ from the first step on. With a
      // variance of 1/H every question looks everywhere alike, and learns from the mean of the
      // whole source.
      tokens(s / "tokens", c.source_vocabulary, c.hidden, {.init = init::normal(1)}) {}

Encoded AbsEncoder::operator()(const Sequences& sources, const Pass& pass) const {
  FOVEA_CHECK(!pass.cache, "abs encoder: it reads whole sources only");
  const Var x = dropout(tokens(sources.ids), config.dropout, pass.rng);  // (M, H)
  const Var mean =
      average_pool1d(x, sources.segments, Window::same(2 * config.smoothing + 1));  // (M, H)
  return {concat_columns({x, mean}), sources.segments};
}

AbsDecoder::AbsDecoder(Scope s, const AbsConfig& c)
    : config(checked(c)),
      name((s / "cross").name()),
      words(s / "words", c.target_vocabulary, c.embedding),
      asking(s / "asking", c.target_vocabulary, c.embedding),
      state(s / "state", c.context * c.embedding, c.hidden, {.activation = Activation::tanh}),
      question(s / "question", c.context * c.embedding, c.hidden, {.bias = false}),
      last(s / "out", c.target_vocabulary, 2 * c.hidden) {}

AbsDecoder::Recent AbsDecoder::recent(const Sequences& targets, const Pass& pass) const {
  if (!pass.cache) return {targets, {}};
  const Dim count = targets.segments.count(), before = config.context - 1;
  const Tensor kept = pass.cache->state(name + ".recent");  // (sequences, C - 1) i32
  Tensor keep = Tensor::empty({count, before}, DType::i32);
  std::vector<Ids> all;
  Ids rows;
  std::int32_t row = 0;
  for (Dim s = 0; s < count; ++s) {
    Ids ids;
    for (Dim i = 0; kept.defined() && i < before; ++i) {
      const std::int32_t id = kept.data<std::int32_t>()[s * before + i];
      if (id != none) ids.push_back(id);
    }
    row += static_cast<std::int32_t>(ids.size());
    for (Dim r = targets.segments.begin(s); r < targets.segments.end(s); ++r) {
      ids.push_back(targets.ids.data<std::int32_t>()[r]);
      rows.push_back(row++);
    }
    for (Dim i = 0; i < before; ++i) {  // the last of them
      const Dim at = static_cast<Dim>(ids.size()) - before + i;
      keep.mutable_data<std::int32_t>()[s * before + i] =
          at < 0 ? none : ids[static_cast<std::size_t>(at)];
    }
    all.push_back(std::move(ids));
  }
  pass.cache->set_state(name + ".recent", keep);
  return {joined(all), Tensor::from<std::int32_t>({static_cast<Dim>(rows.size())}, rows)};
}

Var AbsDecoder::look(const Var& asked, const Segments& targets, const Encoded& source,
                     const Pass& pass) const {
  const auto run = [&](AttendCapture* capture) -> Var {
    const AttendConfig with{.heads = 1, .scale = 1, .capture = capture};
    if (!pass.cache) return attend_memory(asked, source.rows, targets, source.segments, with);
    const CachedKeys keys =
        pass.cache->memory(name, source.segments, [&] { return source.rows.value(); });
    return attend_cached(asked.value(), keys.kv, targets, keys.sequences, keys.rows, with);
  };
  if (!pass.probe) return run(nullptr);
  const Segments seen =
      pass.cache
          ? pass.cache->memory(name, source.segments, [&] { return source.rows.value(); }).sequences
          : source.segments;
  return pass.probe->watch(name, 1, targets, seen, run);
}

Decoded AbsDecoder::decode(const Sequences& targets, const Encoded& source, const Pass& pass,
                           const DecoderOptions& options) const {
  expect_no_lag(options, "abs decoder");
  expect_no_guide(options, "abs decoder");
  const Recent recently = recent(targets, pass);
  const Windows windows(recently.all.segments, Window::causal(config.context));
  const auto last_words = [&](const Embedding& table) {  // (N, C D)
    const Var x = dropout(table(recently.all.ids), config.dropout, pass.rng);
    const Var rows = rows_under(x, windows);
    return recently.rows.defined() ? gather_rows(rows, recently.rows) : rows;
  };
  const Var h = state(last_words(words));  // (N, H)
  const Var enc = look(question(last_words(asking)), targets.segments, source, pass);
  return {dropout(concat_columns({h, enc}), config.dropout, pass.rng)};
}

}  // namespace fovea
