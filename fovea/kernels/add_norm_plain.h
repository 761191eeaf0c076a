/// Dropout, residual and norm one after the other: the twin that the fused code is tested against,
/// and the path of double precision.
#pragma once

#include <vector>

#include "fovea/kernels/add_norm.h"
#include "fovea/kernels/dropout_plain.h"
#include "fovea/kernels/norm_plain.h"

namespace fovea::kernels::plain {

template <class T>
T dropped(const Dropout& config, Dim element, T x) {
  return keeps(config, element) ? x * growth<T>(config) : T(0);
}

template <class T>
void add_norm(const AddNorm<T>& config, Rows<const T> x, Rows<const T> residual, Rows<T> z,
              Rows<T> y, NormStats<T> stats) {
  for (Dim r = 0; r < x.rows; ++r) {
    for (Dim c = 0; c < x.cols; ++c) {
      z[r][c] = residual[r][c] + dropped(config.dropout, r * x.cols + c, x[r][c]);
    }
  }
  plain::norm<T>(config.norm, z, y, stats);
}

template <class T>
void add_norm_backward(const AddNorm<T>& config, Rows<const T> z, NormStats<const T> stats,
                       Rows<const T> dy, Rows<const T> dz, const AddNormGradients<T>& gradients) {
  const std::vector<T> along = [&] {  // a copy: dz may be the memory of dresidual
    std::vector<T> copy(static_cast<std::size_t>(z.size()), T(0));
    for (Dim i = 0; i < z.size() && dz.data; ++i) {
      copy[static_cast<std::size_t>(i)] = dz[i / z.cols][i % z.cols];
    }
    return copy;
  }();
  plain::norm_backward<T>(config.norm, z, stats, dy, gradients.dresidual, gradients.weights);
  for (Dim r = 0; r < z.rows; ++r) {
    for (Dim c = 0; c < z.cols; ++c) {
      T& d = gradients.dresidual[r][c];
      d += along[static_cast<std::size_t>(r * z.cols + c)];
      gradients.dx[r][c] = dropped(config.dropout, r * z.cols + c, d);
    }
  }
}

}  // namespace fovea::kernels::plain
