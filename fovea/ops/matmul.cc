#include "fovea/ops/matmul.h"

#include "fovea/kernels/gemm.h"
#include "fovea/ops/expect.h"

namespace fovea::op {
namespace {

Tensor product(const Tensor& a, bool transpose_a, const Tensor& b, bool transpose_b) {
  Tensor y = Tensor::empty({transpose_a ? a.cols() : a.rows(), transpose_b ? b.rows() : b.cols()},
                           a.dtype());
  with_real(Matmul::name, a.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::gemm(a.view<T>(), b.view<T>(), y.mutable_view<T>(),
                  {.transpose_a = transpose_a, .transpose_b = transpose_b});
  });
  return y;
}

}  // namespace

Tensor Matmul::forward(const Tensor& left, const Tensor& right) {
  const bool matrices = left.shape().rank() == 2 && right.shape().rank() == 2;
  FOVEA_CHECK(matrices && left.dtype() == right.dtype() &&
                  (options.transpose_a ? left.rows() : left.cols()) ==
                      (options.transpose_b ? right.cols() : right.rows()),
              name, ": expected matrices that fit and one type, found ", left.shape(),
              options.transpose_a ? " transposed " : " ", left.dtype(), " by ", right.shape(),
              options.transpose_b ? " transposed " : " ", right.dtype());
  a = left;
  b = right;
  return product(a, options.transpose_a, b, options.transpose_b);
}

// With A and B as the product sees them: dA = dy B', dB = A' dy. Where an operand is stored
// transposed, so is its gradient.
std::array<Tensor, 2> Matmul::backward(const Tensor& dy, Needs needs) const {
  const auto [ta, tb] = options;
  std::array<Tensor, 2> d;
  if (needs[0]) d[0] = ta ? product(b, tb, dy, true) : product(dy, false, b, !tb);
  if (needs[1]) d[1] = tb ? product(dy, true, a, ta) : product(a, !ta, dy, false);
  return d;
}

}  // namespace fovea::op
