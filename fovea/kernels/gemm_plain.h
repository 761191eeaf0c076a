/// The matrix product as the formula says it: the twin that the vector code is tested against, and
/// the path of double precision.
#pragma once

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

}  // namespace fovea::kernels::plain
