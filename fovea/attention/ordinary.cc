#include "fovea/attention/ordinary.h"

#include "fovea/attention/probe.h"
#include "fovea/ops/dropout.h"
#include "fovea/ops/segment.h"
#include "fovea/ops/softmax.h"

namespace fovea {

Var allocate_pairs(const Var& scores, const Pairs& pairs, const Segments& queries,
                   const Segments& keys, const OrdinaryAttention& config, const Pass& pass) {
  const Var weights = segment_softmax(scores, pairs.of_query);  // (P, H)
  if (pass.probe) pass.probe->keep(config.layer, weights.value(), pairs, queries, keys);
  return dropout(weights, config.dropout, pass.rng);
}

Var attend_pairs(const Var& scores, const Var& v, const Pairs& pairs, const Segments& queries,
                 const Segments& keys, const OrdinaryAttention& config, const Pass& pass) {
  return pair_read(allocate_pairs(scores, pairs, queries, keys, config, pass), v, pairs);
}

}  // namespace fovea
