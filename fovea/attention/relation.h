/// Relation-aware self-attention on ordinary ops: Shaw et al. 2018, "Self-attention with relative
/// position representations", eqs. 2 to 5. The fused kernel has it too (ops/attend.h).
///
///   e_ij = q_i . (k_j + a_ij) / sqrt(D),   z_i = sum_j softmax_j(e_ij) (v_j + b_ij)
///
/// where a_ij and b_ij are rows of two learned tables, shared by the heads: that of the distance
/// j - i clipped to [-R, R].
///
/// Letters: Q, K rows of queries and keys; P pairs; H heads; D, V columns of a head of keys and of
/// values.
#pragma once

#include "fovea/ops/pairs.h"

namespace fovea {

/// e_ij: q (Q, H*D), k (K, H*D), key_relation (2R+1, D) -> (P, H).
Var relation_score(const Var& q, const Var& k, const Var& key_relation, const Pairs& pairs,
                   Dim heads);

/// z_i from weights: w (P, H), v (K, H*V), value_relation (2R+1, V) -> (Q, H*V).
Var relation_read(const Var& w, const Var& v, const Var& value_relation, const Pairs& pairs);

}  // namespace fovea
