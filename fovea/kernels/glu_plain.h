/// Gated linear units as the formulas say them: the twin that the vector code is tested against,
/// and the path of double precision.
#pragma once

#include "fovea/kernels/elementwise_plain.h"
#include "fovea/kernels/glu.h"

namespace fovea::kernels::plain {

template <class T>
void glu(Glu kind, Rows<const T> x, Rows<T> y) {
  for (Dim r = 0; r < y.rows; ++r) {
    for (Dim c = 0; c < y.cols; ++c) {
      const T a = x[r][c], b = x[r][c + y.cols];
      y[r][c] = kind == Glu::sigmoid ? a * sigmoid(b) : a * sigmoid(a) * b;
    }
  }
}

template <class T>
void glu_backward(Glu kind, Rows<const T> x, Rows<const T> dy, Rows<T> dx) {
  for (Dim r = 0; r < dy.rows; ++r) {
    for (Dim c = 0; c < dy.cols; ++c) {
      const T a = x[r][c], b = x[r][c + dy.cols], d = dy[r][c];
      const T s = sigmoid(kind == Glu::sigmoid ? b : a);
      dx[r][c] = kind == Glu::sigmoid ? d * s : d * b * s * (1 + a * (1 - s));
      dx[r][c + dy.cols] = kind == Glu::sigmoid ? d * a * s * (1 - s) : d * a * s;
    }
  }
}

}  // namespace fovea::kernels::plain
