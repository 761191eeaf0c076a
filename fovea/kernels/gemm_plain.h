/// The matrix product as the formula says it: the twin that the vector code is tested against, and
/// the path of double precision.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "fovea/kernels/gemm.h"

namespace fovea::kernels::plain {

template <class T>
void gemm(Rows<const T> a, Rows<const T> b, Rows<T> c, const GemmOptions<T>& options = {}) {
  const Dim depth = options.transpose_a ? a.rows : a.cols;
  for (Dim i = 0; i < c.rows; ++i) {
    for (Dim j = 0; j < c.cols; ++j) {
      T sum = options.accumulate ? c[i][j] : T(0);
      for (Dim k = 0; k < depth; ++k) {
        sum +=
            (options.transpose_a ? a[k][i] : a[i][k]) * (options.transpose_b ? b[j][k] : b[k][j]);
      }
      if (options.bias) sum += options.bias[j];
      c[i][j] = options.relu && sum < 0 ? T(0) : sum;
    }
  }
}

/// x as a product of int8 sees it: each row rounded to 127 steps up to its largest number.
inline std::vector<float> as_int8(Rows<const float> x) {
  std::vector<float> rounded;
  for (Dim r = 0; r < x.rows; ++r) {
    float largest = 0;
    for (Dim i = 0; i < x.cols; ++i) largest = std::max(largest, std::abs(x[r][i]));
    for (Dim i = 0; i < x.cols; ++i) {
      rounded.push_back(largest > 0 ? std::nearbyint(x[r][i] * (127 / largest)) * (largest / 127)
                                    : 0);
    }
  }
  return rounded;
}

}  // namespace fovea::kernels::plain
