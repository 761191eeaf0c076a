/// Cross-entropy as the formulas say it: the twin that the vector code is tested against, and the
/// path of double precision.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/kernels/cross_entropy.h"

namespace fovea::kernels::plain {

template <class T>
T log_sum_exp(const T* x, Dim count) {
  T largest = -std::numeric_limits<T>::infinity(), sum = 0;
  for (Dim c = 0; c < count; ++c) largest = std::max(largest, x[c]);
  for (Dim c = 0; c < count; ++c) sum += std::exp(x[c] - largest);
  return largest + std::log(sum);
}

template <class T>
void cross_entropy(Rows<T> logits, const std::int32_t* targets, T smoothing, T* losses,
                   const T* weights) {
  for (Dim r = 0; r < logits.rows; ++r) {
    T* x = logits[r];
    losses[r] = 0;
    if (targets[r] < 0) {
      if (weights) std::fill_n(x, logits.cols, T(0));
      continue;
    }
    const T spread = smoothing / static_cast<T>(logits.cols), total = log_sum_exp(x, logits.cols);
    for (Dim c = 0; c < logits.cols; ++c) {
      const T wanted = spread + (c == targets[r] ? 1 - smoothing : T(0));
      losses[r] += wanted * (total - x[c]);
      if (weights) x[c] = weights[r] * (std::exp(x[c] - total) - wanted);
    }
  }
}

template <class T>
void log_softmax(Rows<const T> x, Rows<T> y) {
  for (Dim r = 0; r < x.rows; ++r) {
    const T total = log_sum_exp(x[r], x.cols);
    for (Dim c = 0; c < x.cols; ++c) y[r][c] = x[r][c] - total;
  }
}

template <class T>
void log_softmax_backward(Rows<const T> y, Rows<const T> dy, Rows<T> dx) {
  for (Dim r = 0; r < y.rows; ++r) {
    T sum = 0;
    for (Dim c = 0; c < y.cols; ++c) sum += dy[r][c];
    for (Dim c = 0; c < y.cols; ++c) dx[r][c] = dy[r][c] - std::exp(y[r][c]) * sum;
  }
}

}  // namespace fovea::kernels::plain
