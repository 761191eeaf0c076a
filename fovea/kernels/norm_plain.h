/// Norms as the formulas say them: the twin that the vector code is tested against, and the path of
/// double precision.
#pragma once

#include <algorithm>
#include <cmath>

#include "fovea/kernels/norm.h"

namespace fovea::kernels::plain {

template <class T>
void norm(const Norm<T>& config, Rows<const T> x, Rows<T> y, NormStats<T> stats) {
  const bool layer = config.kind == NormKind::layer;
  const auto count = static_cast<T>(std::max<Dim>(x.cols, 1));
  for (Dim r = 0; r < x.rows; ++r) {
    T mean = 0, square = 0;
    for (Dim c = 0; c < x.cols && layer; ++c) mean += x[r][c] / count;
    for (Dim c = 0; c < x.cols; ++c) square += (x[r][c] - mean) * (x[r][c] - mean);
    const T rstd = 1 / std::sqrt(square / count + config.eps);
    for (Dim c = 0; c < x.cols; ++c) {
      const T h = (x[r][c] - mean) * rstd;
      y[r][c] = (config.gamma ? config.gamma[c] * h : h) + (config.beta ? config.beta[c] : T(0));
    }
    if (stats.mean && layer) stats.mean[r] = mean;
    if (stats.rstd) stats.rstd[r] = rstd;
  }
}

template <class T>
void norm_backward(const Norm<T>& config, Rows<const T> x, NormStats<const T> stats,
                   Rows<const T> dy, Rows<T> dx, NormGradients<T> gradients) {
  const bool layer = config.kind == NormKind::layer;
  const auto count = static_cast<T>(std::max<Dim>(x.cols, 1));
  if (gradients.dgamma) std::fill_n(gradients.dgamma, x.cols, T(0));
  if (gradients.dbeta) std::fill_n(gradients.dbeta, x.cols, T(0));
  for (Dim r = 0; r < x.rows; ++r) {
    const T mean = layer ? stats.mean[r] : T(0), rstd = stats.rstd[r];
    T mean_g = 0, mean_gh = 0;
    for (Dim c = 0; c < x.cols; ++c) {
      const T h = (x[r][c] - mean) * rstd, g = dy[r][c] * (config.gamma ? config.gamma[c] : T(1));
      if (layer) mean_g += g / count;
      mean_gh += g * h / count;
      if (gradients.dgamma) gradients.dgamma[c] += dy[r][c] * h;
      if (gradients.dbeta) gradients.dbeta[c] += dy[r][c];
    }
    for (Dim c = 0; c < x.cols; ++c) {
      const T h = (x[r][c] - mean) * rstd, g = dy[r][c] * (config.gamma ? config.gamma[c] : T(1));
      dx[r][c] = rstd * (g - mean_g - h * mean_gh);
    }
  }
}

}  // namespace fovea::kernels::plain
