/// Softmax over each row.
#pragma once

#include "fovea/autograd/apply.h"

namespace fovea {
namespace op {

struct Softmax {
  static constexpr std::string_view name = "softmax";
  Tensor y;
  Tensor forward(const Tensor& x);
  std::array<Tensor, 1> backward(const Tensor& dy) const;
};

struct LogSoftmax {
  static constexpr std::string_view name = "log_softmax";
  Tensor y;
  Tensor forward(const Tensor& x);
  std::array<Tensor, 1> backward(const Tensor& dy) const;
};

}  // namespace op

/// y_j = exp(x_j) / sum_k exp(x_k) over each row; a row of -inf gives zeros.
inline Var softmax(const Var& x) { return apply(op::Softmax{}, x); }

/// y_j = x_j - log sum_k exp(x_k) over each row.
inline Var log_softmax(const Var& x) { return apply(op::LogSoftmax{}, x); }

}  // namespace fovea
