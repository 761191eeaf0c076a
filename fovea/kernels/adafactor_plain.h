/// Adafactor as the formulas say it: the twin that the vector code is tested against, and the path
/// of double precision.
#pragma once

#include <algorithm>
#include <cmath>

#include "fovea/kernels/adafactor.h"

namespace fovea::kernels::plain {

template <class T>
void adafactor(const Adafactor<T>& config, Rows<const T> gradient, T* rows, T* columns, Rows<T> w) {
  const Dim R = gradient.rows, C = gradient.cols;
  if (R == 0 || C == 0) return;
  const auto square = [&](Dim r, Dim c) {
    const T g = gradient[r][c] * config.gradient_scale;
    return g * g + config.eps;
  };
  T mean_row = 0, mean_u = 0;
  for (Dim r = 0; r < R; ++r) {
    T mean = 0;
    for (Dim c = 0; c < C; ++c) mean += square(r, c) / static_cast<T>(C);
    rows[r] = config.beta2 * rows[r] + (1 - config.beta2) * mean;
    mean_row += rows[r] / static_cast<T>(R);
  }
  for (Dim c = 0; c < C; ++c) {
    T mean = 0;
    for (Dim r = 0; r < R; ++r) mean += square(r, c) / static_cast<T>(R);
    columns[c] = config.beta2 * columns[c] + (1 - config.beta2) * mean;
  }
  const auto u = [&](Dim r, Dim c) {
    return gradient[r][c] * config.gradient_scale / std::sqrt(rows[r] * columns[c] / mean_row);
  };
  for (Dim r = 0; r < R; ++r) {
    for (Dim c = 0; c < C; ++c) mean_u += u(r, c) * u(r, c) / static_cast<T>(R * C);
  }
  const T smaller = std::max(T(1), std::sqrt(mean_u) / config.clip);
  for (Dim r = 0; r < R; ++r) {
    for (Dim c = 0; c < C; ++c) {
      w[r][c] -= config.rate * (u(r, c) / smaller + config.weight_decay * w[r][c]);
    }
  }
}

}  // namespace fovea::kernels::plain
