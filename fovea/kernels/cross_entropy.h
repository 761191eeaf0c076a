/// Cross-entropy of rows of logits, and log-softmax.
#pragma once

#include "fovea/base/view.h"

namespace fovea::kernels {

/// With smoothed targets (Szegedy et al. 2016, 7) over V columns, eps = smoothing:
///   loss_i = logsumexp(x_i) - (1 - eps) x_i[target_i] - eps / V sum_j x_ij.
/// If `weights` is not null, the logits become the gradient of sum_i weights_i loss_i:
///   x_ij <- weights_i (softmax(x_i)_j - (1 - eps) [j = target_i] - eps / V).
/// So a caller that makes the logits of a block of rows at a time never holds those of all.
/// A row whose target is negative has loss 0 and gradient 0.
void cross_entropy(Rows<float> logits, const std::int32_t* targets, float smoothing, float* losses,
                   const float* weights);
void cross_entropy(Rows<double> logits, const std::int32_t* targets, double smoothing,
                   double* losses, const double* weights);

/// y_j = x_j - logsumexp(x) over each row. x and y may be the same memory.
void log_softmax(Rows<const float> x, Rows<float> y);
void log_softmax(Rows<const double> x, Rows<double> y);

/// dx = dy - exp(y) sum_j dy_j over each row, for y = log_softmax(x). dx may be the same memory as
/// dy or y.
void log_softmax_backward(Rows<const float> y, Rows<const float> dy, Rows<float> dx);
void log_softmax_backward(Rows<const double> y, Rows<const double> dy, Rows<double> dx);

}  // namespace fovea::kernels
