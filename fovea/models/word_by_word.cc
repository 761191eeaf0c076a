#include "fovea/models/word_by_word.h"

#include <algorithm>
#include <numeric>

#include "fovea/attention/probe.h"
#include "fovea/ops/dropout.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/pairs.h"
#include "fovea/ops/rows.h"
#include "fovea/ops/segment.h"

namespace fovea {
namespace {

std::vector<std::int32_t> longest_first(const Segments& segments) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(segments.count()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return segments.length(a) > segments.length(b);
  });
  return order;
}

Sequences ordered(const Sequences& texts, const std::vector<std::int32_t>& order) {
  const auto all = texts.ids.span<std::int32_t>();
  std::vector<std::span<const std::int32_t>> rows;
  for (const std::int32_t s : order) {
    rows.push_back(all.subspan(static_cast<std::size_t>(texts.segments.begin(s)),
                               static_cast<std::size_t>(texts.segments.length(s))));
  }
  return joined(rows);
}

/// Where each text stands in the order.
Tensor places(const std::vector<std::int32_t>& order) {
  Tensor at = Tensor::empty({static_cast<Dim>(order.size())}, DType::i32);
  for (std::size_t i = 0; i < order.size(); ++i) {
    at.mutable_data<std::int32_t>()[order[i]] = static_cast<std::int32_t>(i);
  }
  return at;
}

/// How many hypotheses have a word t; they are sorted.
Dim active_at(const Segments& hypotheses, Dim t) {
  Dim active = 0;
  while (active < hypotheses.count() && hypotheses.length(active) > t) ++active;
  return active;
}

/// Row t of each of the first so many sequences.
Tensor rows_at(const Segments& segments, Dim count, Dim t) {
  Tensor rows = Tensor::empty({count}, DType::i32);
  for (Dim s = 0; s < count; ++s) {
    rows.mutable_data<std::int32_t>()[s] = static_cast<std::int32_t>(segments.begin(s) + t);
  }
  return rows;
}

/// The weights of steps, whose pairs stand in `order`, as those of all pairs of the batch.
Tensor in_batch_order(const std::vector<Tensor>& steps, const std::vector<std::int32_t>& order,
                      const Segments& premises, const Segments& hypotheses, const Pairs& pairs) {
  Tensor all = Tensor::empty({pairs.count(), 1}, steps.empty() ? DType::f32 : steps[0].dtype());
  const std::size_t element = size_of(all.dtype());
  for (std::size_t t = 0; t < steps.size(); ++t) {
    const auto* from = static_cast<const std::byte*>(steps[t].raw());
    for (const std::int32_t s : order) {
      if (hypotheses.length(s) <= static_cast<Dim>(t)) break;
      const Dim row = hypotheses.begin(s) + static_cast<Dim>(t);
      const std::size_t bytes = static_cast<std::size_t>(premises.length(s)) * element;
      std::copy_n(from, bytes,
                  static_cast<std::byte*>(all.mutable_raw()) +
                      static_cast<std::size_t>(pairs.of_query.begin(row)) * element);
      from += bytes;
    }
  }
  return all;
}

}  // namespace

WordByWord::WordByWord(Scope s, const TextClassifierConfig& config)
    : encoder_(s, config),
      key_(s / "key", config.hidden, config.hidden, {.bias = false}),
      query_(s / "query", config.hidden, config.hidden, {.bias = false}),
      carried_(s / "carried", config.hidden, config.hidden, {.bias = false}),
      score_(s / "score", config),
      carry_(s / "carry", config.hidden, config.hidden, {.bias = false}),
      read_(s / "read", config.hidden, config.hidden, {.bias = false}),
      last_(s / "last", config.hidden, config.hidden, {.bias = false}),
      out_(s / "out", config.hidden, config.classes) {}

Var WordByWord::read(const PairEncoder::Output& rows, const Segments& premises,
                     const Segments& hypotheses, std::vector<Tensor>* weights) const {
  const Var keys = key_(rows.premise);         // (L, K)
  const Var asking = query_(rows.hypothesis);  // (N, K)
  std::vector<Var> ended;  // r of the sequences that end at a step, those of the first step first
  const Dim pairs_in_all = hypotheses.count(), ever = active_at(hypotheses, 0);
  if (ever < pairs_in_all || ever == 0) {
    ended.emplace_back(Tensor::zeros({pairs_in_all - ever, encoder_.hidden}, rows.premise.dtype()));
  }
  Var r;
  for (Dim t = 0, active = ever; active > 0; ++t) {
    const auto reached = premises.offsets().first(static_cast<std::size_t>(active + 1));
    const Segments keys_here = Segments::of_offsets(reached);
    const Pairs pairs = pairs_in_reach(Segments::uniform(active, 1), keys_here);
    Var query = gather_rows(asking, rows_at(hypotheses, active, t));  // (active, K)
    if (t > 0) {
      r = slice_rows(r, 0, active);
      query = add(query, carried_(r));
    }
    const Var scores = score_(query, slice_rows(keys, 0, keys_here.rows()), pairs);
    const Var alpha = segment_softmax(scores, pairs.of_query);  // (pairs, 1)
    if (weights) weights->push_back(alpha.value());
    const Var looked = pair_read(alpha, slice_rows(rows.premise, 0, keys_here.rows()), pairs);
    r = t == 0 ? looked : add(looked, tanh(carry_(r)));
    const Dim next = active_at(hypotheses, t + 1);
    if (next < active) ended.push_back(slice_rows(r, next, active));
    active = next;
  }
  std::reverse(ended.begin(), ended.end());
  return concat_rows(ended);
}

Var WordByWord::logits(const TextBatch& batch, const Pass& pass) const {
  const Sequences premises = premises_of(batch);
  const std::vector<std::int32_t> order = longest_first(batch.second.segments);
  const Sequences first = ordered(premises, order), second = ordered(batch.second, order);
  const PairEncoder::Output rows = encoder_(first, second, pass);
  std::vector<Tensor> weights;
  const Var r = read(rows, first.segments, second.segments, pass.probe ? &weights : nullptr);
  if (pass.probe) {
    const Pairs pairs = pairs_in_reach(batch.second.segments, premises.segments);
    pass.probe->keep(
        "premise", in_batch_order(weights, order, premises.segments, batch.second.segments, pairs),
        pairs, batch.second.segments, premises.segments);
  }
  const Var found = tanh(add(read_(r), last_(rows.last)));  // (B, K): h*
  return gather_rows(out_(dropout(found, encoder_.dropout, pass.rng)), places(order));
}

}  // namespace fovea
