/// Softmax as the formulas say it: the twin that the vector code is tested against, and the path of
/// double precision.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/base/view.h"

namespace fovea::kernels::plain {

template <class T>
void softmax(Rows<const T> x, Rows<T> y) {
  for (Dim r = 0; r < x.rows; ++r) {
    T largest = -std::numeric_limits<T>::infinity(), sum = 0;
    bool nan = false;
    for (Dim c = 0; c < x.cols; ++c) {
      largest = std::max(largest, x[r][c]);
      nan = nan || std::isnan(x[r][c]);
    }
    const bool nothing = largest == -std::numeric_limits<T>::infinity() && !nan;
    for (Dim c = 0; c < x.cols; ++c) {
      y[r][c] = nothing ? T(0) : std::exp(x[r][c] - largest);
      sum += y[r][c];
    }
    for (Dim c = 0; c < x.cols && !nothing; ++c) y[r][c] /= sum;
  }
}

template <class T>
void softmax_backward(Rows<const T> y, Rows<const T> dy, Rows<T> dx) {
  for (Dim r = 0; r < y.rows; ++r) {
    T dot = 0;
    for (Dim c = 0; c < y.cols; ++c) dot += dy[r][c] * y[r][c];
    for (Dim c = 0; c < y.cols; ++c) dx[r][c] = y[r][c] * (dy[r][c] - dot);
  }
}

}  // namespace fovea::kernels::plain
