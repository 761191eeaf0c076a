/// The gradients of a norm, a row at a time; those of its weights, which are sums over rows, in
/// fixed blocks of rows.
#pragma once

#include <algorithm>

#include "fovea/kernels/norm.h"
#include "fovea/kernels/row_blocks.h"

namespace fovea::kernels {

/// Of one row.
struct NormRowGradients {
  const float* dy;
  const float* carried;       // added to dx, may be null: a gradient that reaches x by another way
  float* dx;                  // may be any of the above
  NormGradients<float> sums;  // this row's part is added to those that are not null
};

/// row(r, sums) for each row, which adds its part to those of `sums` that are not null.
template <class T, class Row>
void sum_norm_gradients(Dim rows, Dim cols, NormGradients<T> gradients, Row&& row) {
  const Scratch<T> totals(2 * cols);  // dgamma, then dbeta
  sum_over_row_blocks(rows, cols, 2 * cols, totals.data(), [&](Dim begin, Dim end, T* partial) {
    const NormGradients<T> sums{gradients.dgamma ? partial : nullptr,
                                gradients.dbeta ? partial + cols : nullptr};
    for (Dim r = begin; r < end; ++r) row(r, sums);
  });
  if (gradients.dgamma) std::copy_n(totals.data(), cols, gradients.dgamma);
  if (gradients.dbeta) std::copy_n(totals.data() + cols, cols, gradients.dbeta);
}

}  // namespace fovea::kernels
