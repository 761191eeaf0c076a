/// Scores and sums over pairs as the formulas say them: the twin that the vector code is tested
/// against, and the path of double precision.
#pragma once

#include <algorithm>
#include <cmath>

#include "fovea/kernels/pairs.h"

namespace fovea::kernels::plain {

/// body(p, i, j, h, first column of h) for each pair and head.
template <class Body>
void for_each_pair(const PairIndex& pairs, Dim heads, Dim cols, Body&& body) {
  for (Dim p = 0; p < pairs.of_query.back(); ++p) {
    for (Dim h = 0; h < heads; ++h) {
      body(p, pairs.query[p], pairs.key[p], h, h * (cols / heads));
    }
  }
}

template <class T>
void pair_dot(const PairIndex& pairs, Rows<const T> a, Rows<const T> b, Rows<T> s) {
  for_each_pair(pairs, s.cols, a.cols, [&](Dim p, Dim i, Dim j, Dim h, Dim at) {
    T sum = 0;
    for (Dim c = at; c < at + a.cols / s.cols; ++c) sum += a[i][c] * b[j][c];
    s[p][h] = sum;
  });
}

template <class T>
void pair_read(const PairIndex& pairs, Rows<const T> w, Rows<const T> b, Rows<T> y) {
  for (Dim i = 0; i < y.rows; ++i) std::fill_n(y[i], y.cols, T(0));
  for_each_pair(pairs, w.cols, b.cols, [&](Dim p, Dim i, Dim j, Dim h, Dim at) {
    for (Dim c = at; c < at + b.cols / w.cols; ++c) y[i][c] += w[p][h] * b[j][c];
  });
}

template <class T>
void pair_spread(const PairIndex& pairs, Rows<const T> w, Rows<const T> a, Rows<T> z) {
  for_each_pair(pairs, w.cols, a.cols, [&](Dim p, Dim i, Dim j, Dim h, Dim at) {
    for (Dim c = at; c < at + a.cols / w.cols; ++c) z[j][c] += w[p][h] * a[i][c];
  });
}

template <class T>
void pair_additive(const PairIndex& pairs, Rows<const T> q, Rows<const T> k, const T* v, T* s) {
  for_each_pair(pairs, 1, q.cols, [&](Dim p, Dim i, Dim j, Dim, Dim) {
    s[p] = 0;
    for (Dim c = 0; c < q.cols; ++c) s[p] += v[c] * std::tanh(q[i][c] + k[j][c]);
  });
}

template <class T>
void pair_additive_backward(const PairIndex& pairs, const PairAdditiveBackward<T>& rows) {
  std::fill_n(rows.dv, rows.q.cols, T(0));
  for_each_pair(pairs, 1, rows.q.cols, [&](Dim p, Dim i, Dim j, Dim, Dim) {
    for (Dim c = 0; c < rows.q.cols; ++c) {
      const T t = std::tanh(rows.q[i][c] + rows.k[j][c]);
      const T d = rows.ds[p] * rows.v[c] * (1 - t * t);
      rows.dq[i][c] += d;
      rows.dk[j][c] += d;
      rows.dv[c] += rows.ds[p] * t;
    }
  });
}

}  // namespace fovea::kernels::plain
