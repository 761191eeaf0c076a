#include "fovea/ops/linear.h"

#include "fovea/kernels/gemm.h"
#include "fovea/kernels/reduce.h"
#include "fovea/ops/expect.h"
#include "fovea/ops/weight_gradient.h"

namespace fovea::op {
namespace {

kernels::Unary unary_of(Activation activation) {
  switch (activation) {
    case Activation::none:
    case Activation::relu:
      return kernels::Unary::relu;
    case Activation::gelu:
      return kernels::Unary::gelu;
    case Activation::gelu_tanh:
      return kernels::Unary::gelu_tanh;
    case Activation::silu:
      return kernels::Unary::silu;
    case Activation::tanh:
      return kernels::Unary::tanh;
    case Activation::sigmoid:
      return kernels::Unary::sigmoid;
  }
  return kernels::Unary::relu;
}

// None, and ReLU, which the product itself applies.
bool is_in_product(Activation activation) {
  return activation == Activation::none || activation == Activation::relu;
}

}  // namespace

Tensor Linear::forward(const Tensor& input, const Tensor& w, const Tensor& bias) {
  FOVEA_CHECK(w.shape().rank() == 2, name, ": expected a weight of shape (out, in), found ",
              w.shape());
  expect_cols(name, "an input", input, w.cols(), w.dtype());
  if (bias.defined()) expect_vector(name, "a bias", bias, w.rows(), w.dtype());
  FOVEA_CHECK(!packed || (w.dtype() == DType::f32 && packed->depth() == w.cols() &&
                          packed->cols() == w.rows()),
              name, ": what was packed is not the weight of shape ", w.shape(), " ", w.dtype());
  x = input;
  weight = w;
  Tensor y = Tensor::empty(with_cols(x.shape(), w.rows()), x.dtype());
  with_real(name, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const kernels::GemmOptions<T> options = {
        .transpose_b = true, .bias = data_or_null<T>(bias), .relu = activation == Activation::relu};
    if constexpr (std::is_same_v<T, float>) {
      if (packed) kernels::gemm(x.view<T>(), *packed, y.mutable_view<T>(), options);
    }
    if (!packed) kernels::gemm(x.view<T>(), w.view<T>(), y.mutable_view<T>(), options);
    if (activation != Activation::none) slope_from = y;
    if (!is_in_product(activation)) {
      const kernels::Unary f = unary_of(activation);
      const bool in_place = kernels::slope_is_read_from_y(f) || !recording();
      if (!in_place) y = Tensor::empty(y.shape(), y.dtype());
      kernels::unary(f, slope_from.data<T>(), y.mutable_data<T>(), y.size());
    }
    if (dropout.probability > 0) drop(y);
  });
  return y;
}

// Where f' is read from y it must be y before dropout, but for ReLU: there what was dropped and
// what was cut off both have the slope 0, so that y can be dropped in place and one tensor serves
// both.
void Linear::drop(Tensor& y) {
  Tensor dropped = y;
  if (slope_from.defined() && slope_from.same_memory(y) && activation != Activation::relu) {
    dropped = Tensor::empty(y.shape(), y.dtype());
  }
  with_real(name, y.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::dropout(dropout, y.data<T>(), dropped.mutable_data<T>(), y.size());
  });
  y = dropped;
}

// With dz = dy f'(z): dx = dz W, dW = dz' x, db = sum over rows of dz.
std::array<Gradient, 3> Linear::backward(const Tensor& dy, Needs needs) const {
  Tensor dx, db;
  Gradient dw;
  const bool sole = dy.unique();
  with_real(name, dy.dtype(), [&](auto zero) {
    using T = decltype(zero);
    Tensor dz = dy;
    // dy of a wide layer is large, and mostly nobody else's: then dz takes its place.
    const bool changes = activation != Activation::none || dropout.probability > 0;
    if (changes && !sole) dz = Tensor::empty(dy.shape(), dy.dtype());
    const T* g_in = dy.data<T>();
    if (dropout.probability > 0) {
      kernels::dropout(dropout, g_in, dz.mutable_data<T>(), dz.size());
      g_in = dz.data<T>();
    }
    if (activation != Activation::none) {
      const T* from = slope_from.data<T>();
      kernels::unary_backward(unary_of(activation), from, from, g_in, dz.mutable_data<T>(),
                              dz.size());
    }
    const Rows<const T> g = std::as_const(dz).view<T>();
    if (needs[0]) {
      dx = Tensor::empty(x.shape(), x.dtype());
      kernels::gemm(g, weight.view<T>(), dx.mutable_view<T>());
    }
    if (needs[1]) dw = weight_gradient(dz, x);
    if (needs[2]) {
      db = Tensor::empty({weight.rows()}, weight.dtype());
      kernels::column_sums(g, db.mutable_data<T>());
    }
  });
  return {dx, dw, db};
}

}  // namespace fovea::op
