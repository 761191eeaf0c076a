/// Attention on ordinary ops, for any score: allocate by a softmax over the keys in reach, read out
/// the weighted sum.
#pragma once

#include <string>

#include "fovea/nn/pass.h"
#include "fovea/ops/pairs.h"

namespace fovea {

struct OrdinaryAttention {
  std::string layer = {};  // what a probe calls it
  double dropout = 0;      // of the weights
};

/// softmax_j(e_ij) over the keys in reach of each query, after dropout: scores (P, H) -> (P, H). A
/// probe is shown them before dropout.
Var allocate_pairs(const Var& scores, const Pairs& pairs, const Segments& queries,
                   const Segments& keys, const OrdinaryAttention& config, const Pass& pass);

/// y_i = sum_j softmax_j(e_ij) v_j: scores (P, H), v (K, H*D) -> (Q, H*D). A query with nothing in
/// reach gets zeros.
Var attend_pairs(const Var& scores, const Var& v, const Pairs& pairs, const Segments& queries,
                 const Segments& keys, const OrdinaryAttention& config, const Pass& pass);

}  // namespace fovea
