/// Attention on ordinary ops: one row for each pair of a query and a key in reach of it. What is
/// out of reach has no row, so there is nothing to mask. Any score can be computed on pairs; a
/// softmax over the pairs of each query allocates; pair_read sums up the values.
///
/// Letters: Q, K rows of queries and keys in all; P pairs; H heads; D columns of a head;
/// A columns of an additive score.
#pragma once

#include "fovea/autograd/apply.h"
#include "fovea/tensor/segments.h"

namespace fovea {

struct Pairs {
  Tensor query;          // (P) i32: row of the query; rises
  Tensor key;            // (P) i32: row of the key; rises for each query
  Tensor distance;       // (P) i32: place of the key less that of the query
  Segments of_query;     // pairs [begin(q), end(q)) are those of query row q
  Segments of_sequence;  // pairs of each sequence
  Dim key_rows = 0;      // K

  Dim count() const { return query.size(); }
  Dim query_rows() const { return of_query.count(); }
};

struct Reach {
  bool causal = false;  // keys up to the query's place
  Dim window = -1;      // if not negative, keys at most so far away
};

/// The queries of a sequence are the last places of its keys, as in fused attention.
Pairs pairs_in_reach(const Segments& queries, const Segments& keys, const Reach& reach = {});

/// The same pairs, but of a query and a row of a table by distance, (2R+1) rows in all: row
/// clip(distance, -R, R) + R.
Pairs pairs_by_distance(Pairs pairs, Dim reach);

/// The same pairs in the order of their keys, for what is weighed or summed up for each key:
/// gather_rows(x, order) puts rows of pairs into it, gather_rows(y, place) puts them back.
struct PairsByKey {
  Tensor order;     // (P) i32: the pair at each place
  Tensor place;     // (P) i32: the place of each pair
  Segments of_key;  // places [begin(k), end(k)) are those of key row k
};
PairsByKey pairs_by_key(const Pairs& pairs);

namespace op {

struct PairDot {
  static constexpr std::string_view name = "pair dot";
  Pairs pairs;
  Dim heads = 1;
  Tensor q, k;
  Tensor forward(const Tensor& q, const Tensor& k);
  std::array<Tensor, 2> backward(const Tensor& ds, Needs needs) const;
};

struct PairRead {
  static constexpr std::string_view name = "pair read";
  Pairs pairs;
  Tensor w, v;
  Tensor forward(const Tensor& w, const Tensor& v);
  std::array<Tensor, 2> backward(const Tensor& dy, Needs needs) const;
};

struct PairAdditive {
  static constexpr std::string_view name = "pair additive";
  Pairs pairs;
  Tensor q, k, v;
  Tensor forward(const Tensor& q, const Tensor& k, const Tensor& v);
  std::array<Tensor, 3> backward(const Tensor& ds) const;
};

}  // namespace op

/// s_ph = q_i . k_j over the columns of head h, for pair p = (i, j).
/// q (Q, H*D), k (K, H*D) -> (P, H)
inline Var pair_dot(const Var& q, const Var& k, const Pairs& pairs, Dim heads) {
  return apply(op::PairDot{pairs, heads, {}, {}}, q, k);
}

/// y_i = sum over the pairs p = (i, j) of w_ph v_j, head by head. w (P, H), v (K, H*D) -> (Q, H*D).
/// A query without pairs gets zeros.
inline Var pair_read(const Var& w, const Var& v, const Pairs& pairs) {
  return apply(op::PairRead{pairs, {}, {}}, w, v);
}

/// s_p = v . tanh(q_i + k_j) for pair p = (i, j). q (Q, A), k (K, A), v of A numbers -> (P, 1).
/// No row of columns is made for a pair, neither forward nor backward.
inline Var pair_additive(const Var& q, const Var& k, const Var& v, const Pairs& pairs) {
  return apply(op::PairAdditive{pairs, {}, {}, {}}, q, k, v);
}

}  // namespace fovea
