/// Softmax over rows.
#pragma once

#include "fovea/base/view.h"

namespace fovea::kernels {

/// y_j = exp(x_j - max x) / sum_k exp(x_k - max x) over each row. A row of -inf gives zeros.
/// x and y may be the same memory.
void softmax(Rows<const float> x, Rows<float> y);
void softmax(Rows<const double> x, Rows<double> y);

/// dx = y (dy - sum_j dy_j y_j) over each row, for y = softmax(x). dy and dx may be the same
/// memory.
void softmax_backward(Rows<const float> y, Rows<const float> dy, Rows<float> dx);
void softmax_backward(Rows<const double> y, Rows<const double> dy, Rows<double> dx);

}  // namespace fovea::kernels
