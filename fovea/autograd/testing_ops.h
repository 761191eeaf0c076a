/// Two small ops for the tests of this room, which cannot see the ops that stand on it.
#pragma once

#include <array>

#include "fovea/autograd/apply.h"

namespace fovea::testing_ops {

/// z = x y, element by element, in f64.
struct Multiply {
  static constexpr std::string_view name = "multiply";
  Tensor x, y;
  static Tensor product(const Tensor& a, const Tensor& b) {
    Tensor out = Tensor::empty(a.shape(), DType::f64);
    for (Dim i = 0; i < a.size(); ++i) {
      out.mutable_data<double>()[i] = a.data<double>()[i] * b.data<double>()[i];
    }
    return out;
  }
  Tensor forward(const Tensor& a, const Tensor& b) { return product(x = a, y = b); }
  std::array<Tensor, 2> backward(const Tensor& dz) const {
    return {product(dz, y), product(dz, x)};
  }
};
inline Var multiply(const Var& x, const Var& y) { return apply(Multiply{}, x, y); }

/// (2x, 3x), in f64.
struct TwoAndThree {
  static constexpr std::string_view name = "two and three";
  Shape shape;
  std::array<Tensor, 2> forward(const Tensor& x) {
    shape = x.shape();
    return {Multiply::product(x, Tensor::full(shape, 2, DType::f64)),
            Multiply::product(x, Tensor::full(shape, 3, DType::f64))};
  }
  std::array<Tensor, 1> backward(std::span<const Tensor> dy) const {
    Tensor dx = Multiply::product(dy[0], Tensor::full(shape, 2, DType::f64));
    add_to(dx, Multiply::product(dy[1], Tensor::full(shape, 3, DType::f64)));
    return {dx};
  }
};

inline Var parameter(double value) { return Var::parameter(Tensor::full({}, value, DType::f64)); }

}  // namespace fovea::testing_ops
