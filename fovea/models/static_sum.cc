#include "fovea/models/static_sum.h"

#include "fovea/attention/ordinary.h"
#include "fovea/ops/embedding.h"

namespace fovea {

StaticSum::StaticSum(Scope s, const TextClassifierConfig& config)
    : dropout_(config.dropout),
      bag_(s, config),
      score_(s.param("score", {bag_.size(), 1}, init::zeros())),
      value_(s / "value", bag_.row_width, config.width, {.bias = false}),
      out_(s / "out", config.width, config.classes) {}

Var StaticSum::logits(const TextBatch& batch, const Pass& pass) const {
  const Sequences bag = bag_.ids(batch);
  const Segments queries = Segments::uniform(batch.size(), 1);
  const Pairs pairs = pairs_in_reach(queries, bag.segments);  // one for each word, in their order
  const Var found = attend_pairs(embedding(score_, bag.ids), value_(bag_.rows(bag, pass)), pairs,
                                 queries, bag.segments, {.layer = "text"}, pass);  // (B, W)
  return out_(dropout(found, dropout_, pass.rng));
}

}  // namespace fovea
