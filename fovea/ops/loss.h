/// Losses: what a training step makes small.
#pragma once

#include "fovea/autograd/apply.h"
#include "fovea/kernels/gemm.h"

namespace fovea {

enum class Reduction {
  sum,
  mean,  // over the targets that count, or over all elements
};

struct CrossEntropyOptions {
  double smoothing = 0;  // of the targets. Szegedy et al. 2016, 7
  Reduction reduction = Reduction::mean;
};

namespace op {

/// The gradients are computed with the loss, while the softmax is at hand; backward only scales
/// them.
struct CrossEntropy {
  static constexpr std::string_view name = "cross_entropy";
  Tensor targets;
  CrossEntropyOptions options;
  bool wants_gradient = false;
  Tensor gradient = {};
  Tensor forward(const Tensor& logits);
  std::array<Tensor, 1> backward(const Tensor& dy) const;
};

/// Of h W' + b, a block of rows at a time: the logits of a large vocabulary never stand in memory
/// whole.
struct LinearCrossEntropy {
  static constexpr std::string_view name = "linear_cross_entropy";
  Tensor targets;
  CrossEntropyOptions options;
  const kernels::PackedMatrix<float>* packed = nullptr;  // W, if it was packed
  std::array<bool, 3> wants = {};                        // which of h, W, b need a gradient
  std::array<Tensor, 3> gradients = {};                  // of those
  Tensor forward(const Tensor& h, const Tensor& weight, const Tensor& bias);
  std::array<Tensor, 3> backward(const Tensor& dy) const;
};

/// t log(1 + exp(-x)) + (1 - t) log(1 + exp(x)), the cross-entropy of sigmoid(x).
struct BinaryCrossEntropy {
  static constexpr std::string_view name = "binary_cross_entropy_with_logits";
  Tensor targets;
  Reduction reduction = Reduction::mean;
  Tensor x = {};
  Tensor forward(const Tensor& logits);
  std::array<Tensor, 1> backward(const Tensor& dy) const;
};

}  // namespace op

/// -log softmax(logits_i)[target_i], summed or averaged over the rows whose target is not negative.
/// logits (N, V), targets (N) i32. A single number.
Var cross_entropy(const Var& logits, const Tensor& targets,
                  const CrossEntropyOptions& options = {});

/// cross_entropy(linear(h, W, b), targets): h (N, D), W (V, D), b (V), which may be left out.
/// `packed` is W in the form that products read, or null.
Var linear_cross_entropy(const Var& h, const Var& weight, const Var& bias, const Tensor& targets,
                         const CrossEntropyOptions& options = {},
                         const kernels::PackedMatrix<float>* packed = nullptr);

/// The cross-entropy of sigmoid(logits) and targets in [0, 1] of the same shape.
Var binary_cross_entropy_with_logits(const Var& logits, const Tensor& targets,
                                     Reduction reduction = Reduction::mean);

/// sum q (log q - log_p), of rows of log-probabilities and rows of probabilities q. A mean is over
/// the rows.
Var kl_divergence(const Var& log_p, const Tensor& q, Reduction reduction = Reduction::mean);

/// (x - target)^2.
Var mse(const Var& x, const Var& target, Reduction reduction = Reduction::mean);

}  // namespace fovea
