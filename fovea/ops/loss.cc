#include "fovea/ops/loss.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/threads.h"
#include "fovea/kernels/cross_entropy.h"
#include "fovea/kernels/elementwise.h"
#include "fovea/kernels/grain.h"
#include "fovea/kernels/reduce.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/expect.h"
#include "fovea/ops/loss_targets.h"
#include "fovea/ops/reduce.h"

namespace fovea {
namespace op {

Tensor scaled_by(const Tensor& gradient, double factor) {
  if (factor == 1 || !gradient.defined()) return gradient;
  Tensor out = Tensor::empty(gradient.shape(), gradient.dtype());
  with_real("loss", out.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::scale(static_cast<T>(factor), gradient.data<T>(), out.mutable_data<T>(), out.size());
  });
  return out;
}

double weight_of_target(std::string_view op, const Tensor& targets, Dim rows, Dim classes,
                        const CrossEntropyOptions& options) {
  FOVEA_CHECK(
      targets.defined() && targets.dtype() == DType::i32 && targets.shape() == Shape({rows}), op,
      ": expected targets of shape ", Shape({rows}), " i32, found ", targets.shape(), " ",
      targets.dtype());
  FOVEA_CHECK(options.smoothing >= 0 && options.smoothing < 1, op,
              ": expected smoothing in [0, 1), found ", options.smoothing);
  Dim counted = 0;
  for (Dim i = 0; i < rows; ++i) {
    const Dim target = targets.data<std::int32_t>()[i];
    FOVEA_CHECK(target < classes, op, ": target ", target, " at position ", i, " is not one of ",
                classes, " columns");
    counted += target >= 0;
  }
  if (options.reduction == Reduction::sum) return 1;
  return 1 / static_cast<double>(std::max<Dim>(counted, 1));
}

Tensor CrossEntropy::forward(const Tensor& logits) {
  const double weight = weight_of_target(name, targets, logits.rows(), logits.cols(), options);
  double loss = 0;
  with_real(name, logits.dtype(), [&](auto zero) {
    using T = decltype(zero);
    Tensor losses = Tensor::empty({logits.rows()}, logits.dtype());
    const Tensor weights = Tensor::full({logits.rows()}, weight, logits.dtype());
    Tensor work = wants_gradient ? logits.clone() : logits;  // without weights it is only read
    kernels::cross_entropy(work.mutable_view<T>(), targets.data<std::int32_t>(),
                           static_cast<T>(options.smoothing), losses.mutable_data<T>(),
                           wants_gradient ? weights.data<T>() : nullptr);
    if (wants_gradient) gradient = work;
    loss = weight * kernels::sum(losses.data<T>(), losses.size());
  });
  return Tensor::full({}, loss, logits.dtype());
}

std::array<Tensor, 1> CrossEntropy::backward(const Tensor& dy) const {
  return {scaled_by(gradient, dy.item())};
}

Tensor BinaryCrossEntropy::forward(const Tensor& logits) {
  expect_like(name, "targets", targets, logits);
  x = logits;
  Tensor losses = Tensor::empty(x.shape(), x.dtype());
  double loss = 0;
  with_real(name, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T *from = x.data<T>(), *t = targets.data<T>();
    T* to = losses.mutable_data<T>();
    parallel_for(x.size(), kernels::kElementGrain, [&](Dim begin, Dim end) {
      for (Dim i = begin; i < end; ++i) {  // max(x, 0) - x t + log(1 + exp(-|x|)): never overflows
        to[i] = std::max(from[i], T(0)) - from[i] * t[i] + std::log1p(std::exp(-std::abs(from[i])));
      }
    });
    loss = kernels::sum(to, x.size());
  });
  if (reduction == Reduction::mean) loss /= static_cast<double>(std::max<Dim>(x.size(), 1));
  return Tensor::full({}, loss, x.dtype());
}

// dx = (sigmoid(x) - t) dy
std::array<Tensor, 1> BinaryCrossEntropy::backward(const Tensor& dy) const {
  const double count = static_cast<double>(std::max<Dim>(x.size(), 1));
  const double factor = dy.item() / (reduction == Reduction::mean ? count : 1);
  Tensor dx = Tensor::empty(x.shape(), x.dtype());
  with_real(name, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* d = dx.mutable_data<T>();
    kernels::unary(kernels::Unary::sigmoid, x.data<T>(), d, x.size());
    kernels::binary(kernels::Binary::sub, d, targets.data<T>(), d, x.size());
    kernels::scale(static_cast<T>(factor), d, d, x.size());
  });
  return {dx};
}

}  // namespace op

Var cross_entropy(const Var& logits, const Tensor& targets, const CrossEntropyOptions& options) {
  return apply(op::CrossEntropy{targets, options, recording() && logits.needs_gradient()}, logits);
}

Var linear_cross_entropy(const Var& h, const Var& weight, const Var& bias, const Tensor& targets,
                         const CrossEntropyOptions& options,
                         const kernels::PackedMatrix<float>* packed) {
  const bool on = recording();
  return apply(op::LinearCrossEntropy{targets,
                                      options,
                                      packed,
                                      {on && h.needs_gradient(), on && weight.needs_gradient(),
                                       on && bias.needs_gradient()}},
               h, weight, bias);
}

Var binary_cross_entropy_with_logits(const Var& logits, const Tensor& targets,
                                     Reduction reduction) {
  return apply(op::BinaryCrossEntropy{targets, reduction}, logits);
}

Var kl_divergence(const Var& log_p, const Tensor& q, Reduction reduction) {
  op::expect_like("kl_divergence", "probabilities q", q, log_p.value());
  double entropy = 0;  // sum q log q, where 0 log 0 = 0
  with_real("kl_divergence", q.dtype(), [&](auto zero) {
    for (const auto v : q.span<decltype(zero)>()) entropy += v > 0 ? v * std::log(v) : 0.0;
  });
  const double rows = static_cast<double>(std::max<Dim>(q.rows(), 1));
  const Var divergence = add_scalar(scale(sum(mul(log_p, q)), -1), entropy);
  return reduction == Reduction::mean ? scale(divergence, 1 / rows) : divergence;
}

Var mse(const Var& x, const Var& target, Reduction reduction) {
  const Var difference = sub(x, target);
  const Var squares = mul(difference, difference);
  return reduction == Reduction::mean ? mean(squares) : sum(squares);
}

}  // namespace fovea
