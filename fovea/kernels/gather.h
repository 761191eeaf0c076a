/// Rows picked out of a matrix by their numbers, and put back. Plain copies and sums of rows, which
/// memory bounds: there is no vector code to write by hand.
#pragma once

#include <algorithm>

#include "fovea/base/threads.h"
#include "fovea/kernels/grain.h"

namespace fovea::kernels {

/// y_r = x[ids[r]].
template <class T>
void gather_rows(Rows<const T> x, const std::int32_t* ids, Rows<T> y) {
  parallel_for(y.rows, row_grain(y.cols), [&](Dim begin, Dim end) {
    for (Dim r = begin; r < end; ++r) std::copy_n(x[ids[r]], y.cols, y[r]);
  });
}

/// y[ids[r]] += x_r, in the order of r. Threads share the columns, so that ids may repeat.
template <class T>
void scatter_add_rows(Rows<const T> x, const std::int32_t* ids, Rows<T> y) {
  parallel_for(x.cols, row_grain(x.rows), [&](Dim begin, Dim end) {
    for (Dim r = 0; r < x.rows; ++r) {
      T* to = y[ids[r]];
      for (Dim c = begin; c < end; ++c) to[c] += x[r][c];
    }
  });
}

}  // namespace fovea::kernels
