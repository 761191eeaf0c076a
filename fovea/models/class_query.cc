#include "fovea/models/class_query.h"

#include "fovea/attention/ordinary.h"
#include "fovea/attention/score.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/reduce.h"
#include "fovea/ops/rows.h"

namespace fovea {
namespace {

constexpr double kPace = 10;  // of queries without projections

/// 0, 1, ..., C - 1 for each of B texts.
Tensor every_class(Dim texts, Dim classes) {
  Tensor ids = Tensor::empty({texts * classes}, DType::i32);
  for (Dim i = 0; i < ids.size(); ++i) {
    ids.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(i % classes);
  }
  return ids;
}

/// Columns of what a query looks at.
Dim looked_at(const TextClassifierConfig& config, const WordBag& bag) {
  return config.projections ? config.width : bag.row_width;
}

}  // namespace

ClassQuery::ClassQuery(Scope s, const TextClassifierConfig& config)
    : config_(config),
      bag_(s, config),
      query_(s.param("query", {config.classes, looked_at(config, bag_)},
                     init::normal(config.projections ? 1 : 1 / kPace))),
      out_(s.param("out.weight", {config.classes, looked_at(config, bag_)}, init::xavier())),
      bias_(s.param("out.bias", {config.classes}, init::zeros())) {
  if (!config.projections) return;
  key_.emplace(s / "key", bag_.row_width, config.width, LinearConfig{.bias = false});
  value_.emplace(s / "value", bag_.row_width, config.width, LinearConfig{.bias = false});
}

Var ClassQuery::logits(const TextBatch& batch, const Pass& pass) const {
  const Sequences bag = bag_.ids(batch);
  const Var words = bag_.rows(bag, pass);  // (M, R)
  const Segments queries = Segments::uniform(batch.size(), config_.classes);
  const Tensor classes = every_class(batch.size(), config_.classes);  // (B C)
  const Pairs pairs = pairs_in_reach(queries, bag.segments);
  const Var query = gather_rows(query_, classes);
  const Var scores = key_ ? scaled_dot_score(query, (*key_)(words), pairs, config_.heads)
                          : pair_dot(scale(query, kPace), words, pairs, config_.heads);
  const Var found = attend_pairs(scores, value_ ? (*value_)(words) : words, pairs, queries,
                                 bag.segments, {.layer = "classes"}, pass);  // (B C, W)
  const Var kept = dropout(found, config_.dropout, pass.rng);
  const Var judged = row_sums(mul(kept, gather_rows(out_, classes)));  // (B C)
  return add_row(reshape(judged, {batch.size(), config_.classes}), bias_);
}

}  // namespace fovea
