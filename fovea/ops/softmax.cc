#include "fovea/ops/softmax.h"

#include "fovea/kernels/cross_entropy.h"
#include "fovea/kernels/softmax.h"

namespace fovea::op {

Tensor Softmax::forward(const Tensor& x) {
  y = Tensor::empty(x.shape(), x.dtype());
  with_real(name, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::softmax(x.view<T>(), y.mutable_view<T>());
  });
  return y;
}

std::array<Tensor, 1> Softmax::backward(const Tensor& dy) const {  // dx = y (dy - sum(dy y))
  Tensor dx = Tensor::empty(y.shape(), y.dtype());
  with_real(name, y.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::softmax_backward(y.view<T>(), dy.view<T>(), dx.mutable_view<T>());
  });
  return {dx};
}

Tensor LogSoftmax::forward(const Tensor& x) {
  y = Tensor::empty(x.shape(), x.dtype());
  with_real(name, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::log_softmax(x.view<T>(), y.mutable_view<T>());
  });
  return y;
}

std::array<Tensor, 1> LogSoftmax::backward(const Tensor& dy) const {  // dx = dy - exp(y) sum(dy)
  Tensor dx = Tensor::empty(y.shape(), y.dtype());
  with_real(name, y.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::log_softmax_backward(y.view<T>(), dy.view<T>(), dx.mutable_view<T>());
  });
  return {dx};
}

}  // namespace fovea::op
