/// Batch normalisation over rows. Ioffe and Szegedy 2015.
#pragma once

#include "fovea/autograd/apply.h"

namespace fovea {

/// What a layer remembers of the batches it was trained on, for when it is used.
struct RunningStats {
  Tensor mean;      // (D)
  Tensor variance;  // (D)
};

struct BatchNormOptions {
  bool training = false;  // by this batch's statistics, which the running ones take in
  double momentum = 0.1;  // running = (1 - momentum) running + momentum batch
  double eps = 1e-5;
};

namespace op {

/// y = gamma h + beta, h = (x - mean) rstd. `running` is read, or written when training.
struct BatchNorm {
  static constexpr std::string_view name = "batch_norm";
  RunningStats running;
  BatchNormOptions options;
  Tensor h = {}, rstd = {}, gamma = {};
  Tensor forward(const Tensor& x, const Tensor& scale, const Tensor& shift);
  std::array<Tensor, 3> backward(const Tensor& dy) const;
};

}  // namespace op

/// y = gamma (x - mean) / sqrt(variance + eps) + beta, each column by its own mean and variance
/// over all rows of the batch (training) or by the running ones. x (N, D), gamma and beta (D). The
/// running variance is the unbiased one.
inline Var batch_norm(const Var& x, const Var& gamma, const Var& beta, const RunningStats& running,
                      const BatchNormOptions& options) {
  return apply(op::BatchNorm{running, options}, x, gamma, beta);
}

}  // namespace fovea
