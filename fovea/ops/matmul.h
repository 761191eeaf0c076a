/// Matrix products.
#pragma once

#include "fovea/autograd/apply.h"

namespace fovea {

/// How the operands of a product are stored.
struct MatmulOptions {
  bool transpose_a = false;  // a is (K, M)
  bool transpose_b = false;  // b is (N, K)
};

namespace op {

struct Matmul {
  static constexpr std::string_view name = "matmul";
  MatmulOptions options;
  Tensor a = {}, b = {};
  Tensor forward(const Tensor& left, const Tensor& right);
  std::array<Tensor, 2> backward(const Tensor& dy, Needs needs) const;
};

}  // namespace op

/// y = a b: (M, K) by (K, N) gives (M, N).
inline Var matmul(const Var& a, const Var& b, MatmulOptions options = {}) {
  return apply(op::Matmul{options}, a, b);
}

}  // namespace fovea
