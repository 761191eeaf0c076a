/// Rows by index and by segment as the formulas say them: the twin that the parallel code is tested
/// against, and the path of double precision.
#pragma once

#include <algorithm>

#include "fovea/kernels/indexed_rows.h"

namespace fovea::kernels::plain {

template <class T>
void gather_rows(Rows<const T> table, const std::int32_t* index, Rows<T> y) {
  for (Dim i = 0; i < y.rows; ++i) std::copy_n(table[index[i]], y.cols, y[i]);
}

template <class T>
void scatter_add_rows(Rows<const T> x, const std::int32_t* index, Rows<T> table) {
  for (Dim i = 0; i < x.rows; ++i) {
    for (Dim c = 0; c < x.cols; ++c) table[index[i]][c] += x[i][c];
  }
}

template <class T>
void pool_segments(Pool pool, Rows<const T> x, std::span<const Dim> offsets, Rows<T> y,
                   Rows<std::int32_t> where) {
  for (Dim s = 0; s < y.rows; ++s) {
    const Dim begin = offsets[static_cast<std::size_t>(s)];
    const Dim end = offsets[static_cast<std::size_t>(s) + 1];
    for (Dim c = 0; c < y.cols; ++c) {
      T total = 0;
      Dim best = begin;
      for (Dim r = begin; r < end; ++r) {
        total += x[r][c];
        if (x[r][c] > x[best][c]) best = r;
      }
      if (pool == Pool::sum) y[s][c] = total;
      if (pool == Pool::mean) y[s][c] = begin < end ? total / static_cast<T>(end - begin) : T(0);
      if (pool == Pool::max) {
        y[s][c] = begin < end ? x[best][c] : T(0);
        where[s][c] = begin < end ? static_cast<std::int32_t>(best) : -1;
      }
    }
  }
}

template <class T>
void pool_segments_backward(Pool pool, Rows<const T> dy, std::span<const Dim> offsets,
                            Rows<const std::int32_t> where, Rows<T> dx) {
  for (Dim s = 0; s < dy.rows; ++s) {
    const Dim begin = offsets[static_cast<std::size_t>(s)];
    const Dim end = offsets[static_cast<std::size_t>(s) + 1];
    const T share = pool == Pool::mean ? 1 / static_cast<T>(end - begin) : T(1);
    for (Dim r = begin; r < end; ++r) {
      for (Dim c = 0; c < dy.cols; ++c) {
        dx[r][c] = pool != Pool::max || where[s][c] == r ? dy[s][c] * share : T(0);
      }
    }
  }
}

}  // namespace fovea::kernels::plain
