/// Maps over elements: of one tensor, of two, of a tensor and a row or a column.
#pragma once

#include "fovea/autograd/apply.h"
#include "fovea/kernels/elementwise.h"
#include "fovea/kernels/glu.h"

namespace fovea {
namespace op {

/// y = f(x).
struct Unary {
  static constexpr std::string_view name = "unary";
  kernels::Unary f;
  Tensor x = {}, y = {};  // only the one that f' is read from
  Tensor forward(const Tensor& input);
  std::array<Tensor, 1> backward(const Tensor& dy) const;
};

/// y = a op b, of equal shapes.
struct Binary {
  static constexpr std::string_view name = "binary";
  kernels::Binary kind;
  Tensor a = {}, b = {};  // not for sums
  Tensor forward(const Tensor& left, const Tensor& right);
  std::array<Tensor, 2> backward(const Tensor& dy, Needs needs) const;
};

/// y_rc = x_rc + row_c or x_rc row_c.
struct BinaryRow {
  static constexpr std::string_view name = "binary_row";
  kernels::Binary kind;
  Tensor x = {}, row = {};  // not for sums
  Tensor forward(const Tensor& input, const Tensor& vector);
  std::array<Tensor, 2> backward(const Tensor& dy, Needs needs) const;
};

/// y_rc = x_rc + column_r or x_rc column_r.
struct BinaryColumn {
  static constexpr std::string_view name = "binary_column";
  kernels::Binary kind;
  Tensor x = {}, column = {};
  Tensor forward(const Tensor& input, const Tensor& vector);
  std::array<Tensor, 2> backward(const Tensor& dy, Needs needs) const;
};

/// y = factor x + shift.
struct Affine {
  static constexpr std::string_view name = "affine";
  double factor = 1, shift = 0;
  Tensor forward(const Tensor& x) const;
  std::array<Tensor, 1> backward(const Tensor& dy) const;
};

/// y = x, dx = factor dy.
struct ScaleGradient {
  static constexpr std::string_view name = "scale_gradient";
  double factor = 1;
  Tensor forward(const Tensor& x) const { return x; }
  std::array<Tensor, 1> backward(const Tensor& dy) const;
};

struct Glu {
  static constexpr std::string_view name = "glu";
  kernels::Glu kind;
  Tensor x = {};
  Tensor forward(const Tensor& input);
  std::array<Tensor, 1> backward(const Tensor& dy) const;
};

}  // namespace op

/// y = f(x) for each element; kernels/elementwise.h has the formulas.
inline Var unary(kernels::Unary f, const Var& x) { return apply(op::Unary{f}, x); }
inline Var relu(const Var& x) { return unary(kernels::Unary::relu, x); }
inline Var gelu(const Var& x) { return unary(kernels::Unary::gelu, x); }
inline Var gelu_tanh(const Var& x) { return unary(kernels::Unary::gelu_tanh, x); }
inline Var silu(const Var& x) { return unary(kernels::Unary::silu, x); }
inline Var tanh(const Var& x) { return unary(kernels::Unary::tanh, x); }
inline Var sigmoid(const Var& x) { return unary(kernels::Unary::sigmoid, x); }
inline Var exp(const Var& x) { return unary(kernels::Unary::exp, x); }
inline Var log(const Var& x) { return unary(kernels::Unary::log, x); }
inline Var sqrt(const Var& x) { return unary(kernels::Unary::sqrt, x); }

/// Of equal shapes.
inline Var add(const Var& a, const Var& b) { return apply(op::Binary{kernels::Binary::add}, a, b); }
inline Var sub(const Var& a, const Var& b) { return apply(op::Binary{kernels::Binary::sub}, a, b); }
inline Var mul(const Var& a, const Var& b) { return apply(op::Binary{kernels::Binary::mul}, a, b); }
inline Var div(const Var& a, const Var& b) { return apply(op::Binary{kernels::Binary::div}, a, b); }

/// x (N, D) and a row (D), which meets every row: a bias, a scale.
inline Var add_row(const Var& x, const Var& row) {
  return apply(op::BinaryRow{kernels::Binary::add}, x, row);
}
inline Var mul_row(const Var& x, const Var& row) {
  return apply(op::BinaryRow{kernels::Binary::mul}, x, row);
}

/// x (N, D) and a column (N) or (N, 1): one number for each row.
inline Var add_column(const Var& x, const Var& column) {
  return apply(op::BinaryColumn{kernels::Binary::add}, x, column);
}
inline Var mul_column(const Var& x, const Var& column) {
  return apply(op::BinaryColumn{kernels::Binary::mul}, x, column);
}

inline Var scale(const Var& x, double factor) { return apply(op::Affine{.factor = factor}, x); }
inline Var add_scalar(const Var& x, double shift) { return apply(op::Affine{.shift = shift}, x); }

/// x as it is, through which only `factor` of a gradient goes: not the derivative of what it
/// computes, but a smaller (or larger) rate of learning for all that made x.
inline Var scale_gradient(const Var& x, double factor) {
  return apply(op::ScaleGradient{factor}, x);
}

/// (N, 2F) -> (N, F), with x = (a | b): glu is a sigmoid(b), Dauphin et al. 2017; swiglu is
/// silu(a) b, Shazeer 2020.
inline Var glu(const Var& x) { return apply(op::Glu{kernels::Glu::sigmoid}, x); }
inline Var swiglu(const Var& x) { return apply(op::Glu{kernels::Glu::silu}, x); }

}  // namespace fovea
