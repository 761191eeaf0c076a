#include "fovea/ops/elementwise.h"

#include "fovea/base/threads.h"
#include "fovea/kernels/grain.h"
#include "fovea/kernels/reduce.h"
#include "fovea/ops/expect.h"

namespace fovea::op {
namespace {

std::string_view name_of(kernels::Unary f) {
  constexpr std::string_view names[] = {"relu",    "gelu", "gelu_tanh", "silu", "tanh",
                                        "sigmoid", "exp",  "log",       "sqrt"};
  return names[static_cast<int>(f)];
}

std::string_view name_of(kernels::Binary kind) {
  constexpr std::string_view names[] = {"add", "sub", "mul", "div"};
  return names[static_cast<int>(kind)];
}

bool is_sum(kernels::Binary kind) {
  return kind == kernels::Binary::add || kind == kernels::Binary::sub;
}

Tensor combined(kernels::Binary kind, const Tensor& a, const Tensor& b) {
  Tensor y = Tensor::empty(a.shape(), a.dtype());
  with_real(name_of(kind), a.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::binary(kind, a.data<T>(), b.data<T>(), y.mutable_data<T>(), y.size());
  });
  return y;
}

Tensor scaled(const Tensor& x, double factor) {
  Tensor y = Tensor::empty(x.shape(), x.dtype());
  with_real("scale", x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::scale(static_cast<T>(factor), x.data<T>(), y.mutable_data<T>(), y.size());
  });
  return y;
}

}  // namespace

Tensor Unary::forward(const Tensor& input) {
  Tensor out = Tensor::empty(input.shape(), input.dtype());
  with_real(name_of(f), input.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::unary(f, input.data<T>(), out.mutable_data<T>(), out.size());
  });
  (kernels::slope_is_read_from_y(f) ? y : x) = kernels::slope_is_read_from_y(f) ? out : input;
  return out;
}

std::array<Tensor, 1> Unary::backward(const Tensor& dy) const {
  Tensor dx = Tensor::empty(dy.shape(), dy.dtype());
  with_real(name_of(f), dy.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::unary_backward(f, data_or_null<T>(x), data_or_null<T>(y), dy.data<T>(),
                            dx.mutable_data<T>(), dx.size());
  });
  return {dx};
}

Tensor Binary::forward(const Tensor& left, const Tensor& right) {
  expect_like(name_of(kind), "the second input", right, left);
  if (!is_sum(kind)) a = left, b = right;
  return combined(kind, left, right);
}

std::array<Tensor, 2> Binary::backward(const Tensor& dy, Needs needs) const {
  switch (kind) {
    case kernels::Binary::add:
      return {dy, dy};
    case kernels::Binary::sub:
      return {dy, needs[1] ? scaled(dy, -1) : Tensor()};
    case kernels::Binary::mul:
      return {needs[0] ? combined(kind, dy, b) : Tensor(),
              needs[1] ? combined(kind, dy, a) : Tensor()};
    case kernels::Binary::div:  // y = a / b: da = dy / b, db = -dy a / b^2 = -da y
      break;
  }
  const Tensor da = combined(kind, dy, b);
  if (!needs[1]) return {da, Tensor()};
  const Tensor y = combined(kind, a, b);
  return {da, scaled(combined(kernels::Binary::mul, da, y), -1)};
}

Tensor BinaryRow::forward(const Tensor& input, const Tensor& vector) {
  const std::string_view op = kind == kernels::Binary::add ? "add_row" : "mul_row";
  expect_vector(op, "a row", vector, input.cols(), input.dtype());
  if (!is_sum(kind)) x = input, row = vector;
  Tensor y = Tensor::empty(input.shape(), input.dtype());
  with_real(op, input.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::binary_row(kind, input.view<T>(), vector.data<T>(), y.mutable_view<T>());
  });
  return y;
}

std::array<Tensor, 2> BinaryRow::backward(const Tensor& dy, Needs needs) const {
  Tensor dx = dy, drow;
  with_real(name, dy.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if (needs[1]) {
      drow = Tensor::empty({dy.cols()}, dy.dtype());
      const Tensor terms = is_sum(kind) ? dy : combined(kind, dy, x);
      kernels::column_sums(terms.view<T>(), drow.mutable_data<T>());
    }
    if (needs[0] && !is_sum(kind)) {
      dx = Tensor::empty(dy.shape(), dy.dtype());
      kernels::binary_row(kind, dy.view<T>(), row.data<T>(), dx.mutable_view<T>());
    }
  });
  return {dx, drow};
}

Tensor BinaryColumn::forward(const Tensor& input, const Tensor& vector) {
  const std::string_view op = kind == kernels::Binary::add ? "add_column" : "mul_column";
  const Dim rows = input.rows();
  FOVEA_CHECK((vector.shape() == Shape({rows}) || vector.shape() == Shape({rows, 1})) &&
                  vector.dtype() == input.dtype(),
              op, ": expected a column of shape ", Shape({rows}), " or ", Shape({rows, 1}), " ",
              input.dtype(), " for ", input.shape(), ", found ", vector.shape(), " ",
              vector.dtype());
  column = vector;
  if (!is_sum(kind)) x = input;
  Tensor y = Tensor::empty(input.shape(), input.dtype());
  with_real(op, input.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::binary_column(kind, input.view<T>(), vector.data<T>(), y.mutable_view<T>());
  });
  return y;
}

std::array<Tensor, 2> BinaryColumn::backward(const Tensor& dy, Needs needs) const {
  Tensor dx = dy, dcolumn;
  with_real(name, dy.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if (needs[1]) {
      dcolumn = Tensor::empty(column.shape(), dy.dtype());
      const Tensor terms = is_sum(kind) ? dy : combined(kind, dy, x);
      kernels::row_sums(terms.view<T>(), dcolumn.mutable_data<T>());
    }
    if (needs[0] && !is_sum(kind)) {
      dx = Tensor::empty(dy.shape(), dy.dtype());
      kernels::binary_column(kind, dy.view<T>(), column.data<T>(), dx.mutable_view<T>());
    }
  });
  return {dx, dcolumn};
}

Tensor Affine::forward(const Tensor& x) const {
  Tensor y = Tensor::empty(x.shape(), x.dtype());
  with_real(name, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = x.data<T>();
    T* to = y.mutable_data<T>();
    const T a = static_cast<T>(factor), b = static_cast<T>(shift);
    if (b == 0) return kernels::scale(a, from, to, x.size());
    parallel_for(x.size(), kernels::kElementGrain, [&](Dim begin, Dim end) {
      for (Dim i = begin; i < end; ++i) to[i] = a * from[i] + b;
    });
  });
  return y;
}

std::array<Tensor, 1> Affine::backward(const Tensor& dy) const {
  return {factor == 1 ? dy : scaled(dy, factor)};
}

std::array<Tensor, 1> ScaleGradient::backward(const Tensor& dy) const {
  return {factor == 1 ? dy : scaled(dy, factor)};
}

Tensor Glu::forward(const Tensor& input) {
  FOVEA_CHECK(input.shape().rank() >= 1 && input.cols() % 2 == 0, name,
              ": expected an even number of columns, two halves, found ", input.shape());
  x = input;
  Tensor y = Tensor::empty(with_cols(x.shape(), x.cols() / 2), x.dtype());
  with_real(name, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::glu(kind, x.view<T>(), y.mutable_view<T>());
  });
  return y;
}

std::array<Tensor, 1> Glu::backward(const Tensor& dy) const {
  Tensor dx = Tensor::empty(x.shape(), x.dtype());
  with_real(name, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::glu_backward(kind, x.view<T>(), dy.view<T>(), dx.mutable_view<T>());
  });
  return {dx};
}

}  // namespace fovea::op
