/// Scores e_ij of query i and key j, one for each pair in reach: the first of attention's three
/// choices. Scaled dot products have a fused kernel (multi_head.h); these run on ordinary ops.
///
/// Letters: Q, K rows of queries and keys; P pairs; H heads.
#pragma once

#include "fovea/nn/linear.h"
#include "fovea/ops/pairs.h"

namespace fovea {

/// e_ij = q_i . k_j / sqrt(D), head by head. Vaswani et al. 2017, eq. 1. (P, H)
Var scaled_dot_score(const Var& q, const Var& k, const Pairs& pairs, Dim heads = 1);

/// What is added to a score by the distance from query to key, clipped to [-R, R]:
/// bias (H, 2R+1) -> (P, H).
Var distance_bias(const Var& bias, const Pairs& pairs);

/// e_ij = q_i' W k_j. Luong et al. 2015, eq. 8, "general". (P, 1)
struct GeneralScore {
  Linear query;
  GeneralScore(Scope s, Dim query_width, Dim key_width)
      : query(s / "query", query_width, key_width, {.bias = false}) {}
  Var operator()(const Var& q, const Var& k, const Pairs& pairs) const {
    return pair_dot(query(q), k, pairs, 1);
  }
};

/// e_ij = v' tanh(W q_i + U k_j). Bahdanau et al. 2015, A.1.2. (P, 1)
struct AdditiveScore {
  Linear query, key;
  Var v;  // (1, hidden)
  AdditiveScore(Scope s, Dim query_width, Dim key_width, Dim hidden)
      : query(s / "query", query_width, hidden),
        key(s / "key", key_width, hidden, {.bias = false}),
        v((s / "out").param("weight", {1, hidden}, init::xavier())) {}
  Var operator()(const Var& q, const Var& k, const Pairs& pairs) const {
    return pair_additive(query(q), key(k), v, pairs);
  }
};

}  // namespace fovea
