/// Scores and sums over pairs p = (i, j) of a query and a key: what attention on ordinary ops is
/// made of. Nothing here has a row of columns for each pair. The caller has checked the shapes.
///
/// Letters: Q, K rows of queries and keys; P pairs; S sequences; H heads, each a range of columns;
/// A columns.
#pragma once

#include <span>

#include "fovea/base/view.h"

namespace fovea::kernels {

struct PairIndex {
  const std::int32_t* query;         // (P): rises
  const std::int32_t* key;           // (P)
  std::span<const Dim> of_query;     // Q + 1: pairs [of_query_i, of_query_i+1) are those of query i
  std::span<const Dim> of_sequence;  // S + 1: the same of sequence s, which shares no key
};

/// s_ph = a_i . b_j over the columns of head h: a (Q, H*D), b (K, H*D), s (P, H).
void pair_dot(const PairIndex& pairs, Rows<const float> a, Rows<const float> b, Rows<float> s);
void pair_dot(const PairIndex& pairs, Rows<const double> a, Rows<const double> b, Rows<double> s);

/// y_i = sum over the pairs of query i of w_ph b_j: w (P, H), b (K, H*D), y (Q, H*D).
void pair_read(const PairIndex& pairs, Rows<const float> w, Rows<const float> b, Rows<float> y);
void pair_read(const PairIndex& pairs, Rows<const double> w, Rows<const double> b, Rows<double> y);

/// z_j += sum over the pairs of key j of w_ph a_i: w (P, H), a (Q, H*D), z (K, H*D).
void pair_spread(const PairIndex& pairs, Rows<const float> w, Rows<const float> a, Rows<float> z);
void pair_spread(const PairIndex& pairs, Rows<const double> w, Rows<const double> a,
                 Rows<double> z);

/// s_p = v . tanh(q_i + k_j): q (Q, A), k (K, A), v (A), s (P). Bahdanau et al. 2015, A.1.2.
void pair_additive(const PairIndex& pairs, Rows<const float> q, Rows<const float> k, const float* v,
                   float* s);
void pair_additive(const PairIndex& pairs, Rows<const double> q, Rows<const double> k,
                   const double* v, double* s);

template <class T>
struct PairAdditiveBackward {
  Rows<const T> q, k;
  const T* v;
  const T* ds;     // (P)
  Rows<T> dq, dk;  // added to
  T* dv;           // written
};

/// With t = tanh(q_i + k_j), which is computed again:
///   dq_i += ds_p v (1 - t^2),   dk_j += ds_p v (1 - t^2),   dv = sum_p ds_p t
void pair_additive_backward(const PairIndex& pairs, const PairAdditiveBackward<float>& rows);
void pair_additive_backward(const PairIndex& pairs, const PairAdditiveBackward<double>& rows);

}  // namespace fovea::kernels
