/// A linear layer, with an activation.
#pragma once

#include "fovea/autograd/apply.h"
#include "fovea/kernels/dropout.h"
#include "fovea/kernels/elementwise.h"
#include "fovea/kernels/gemm.h"

namespace fovea {

/// What follows a linear map. The formulas are in kernels/elementwise.h.
enum class Activation { none, relu, gelu, gelu_tanh, silu, tanh, sigmoid };
constexpr std::array<std::string_view, 7> names_of(Activation) {
  return {"none", "relu", "gelu", "gelu_tanh", "silu", "tanh", "sigmoid"};
}

namespace op {

/// y = dropout(f(x W' + b)).
struct Linear {
  static constexpr std::string_view name = "linear";
  Activation activation = Activation::none;
  kernels::Dropout dropout = {};
  const kernels::PackedMatrix<float>* packed = nullptr;  // the weight, if it was packed
  Tensor x = {}, weight = {};
  Tensor slope_from = {};  // y or what f was applied to, whichever f' is read from
  Tensor forward(const Tensor& input, const Tensor& w, const Tensor& bias);
  std::array<Gradient, 3> backward(const Tensor& dy, Needs needs) const;

 private:
  void drop(Tensor& y);
};

}  // namespace op

struct LinearOptions {
  Activation activation = Activation::none;
  kernels::Dropout dropout = {};  // of y, drawn by the caller
  /// W in the form that products read, with the same bits of y; null: W as it is.
  const kernels::PackedMatrix<float>* packed = nullptr;
};

/// y = dropout(f(x W' + b)): x (N, in), W (out, in), b (out), which may be left out, y (N, out).
inline Var linear(const Var& x, const Var& weight, const Var& bias = {},
                  const LinearOptions& options = {}) {
  return apply(op::Linear{options.activation, options.dropout, options.packed}, x, weight, bias);
}

}  // namespace fovea
