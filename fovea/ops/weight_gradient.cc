#include "fovea/ops/weight_gradient.h"

#include "fovea/kernels/gemm.h"

namespace fovea::op {
namespace {

/// From here on a product is worth its while alone.
constexpr Dim kManyRows = 256;

Tensor product_of_rows(const Tensor& dz, const Tensor& x) {
  Tensor dw = Tensor::empty({dz.cols(), x.cols()}, dz.dtype());
  with_real("weight gradient", dz.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::gemm(dz.view<T>(), x.view<T>(), dw.mutable_view<T>(), {.transpose_a = true});
  });
  return dw;
}

}  // namespace

Gradient weight_gradient(const Tensor& dz, const Tensor& x) {
  if (dz.rows() >= kManyRows) return product_of_rows(dz, x);
  return Gradient::by_factors(dz, x, product_of_rows);
}

}  // namespace fovea::op
