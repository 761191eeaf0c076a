#include "fovea/ops/dropout.h"

namespace fovea {
namespace op {

kernels::Dropout drawn_dropout(std::string_view op, double probability, Rng* rng) {
  FOVEA_CHECK(probability >= 0 && probability < 1, op,
              ": expected a probability of dropout in [0, 1), found ", probability);
  if (!rng || probability == 0) return {};
  return {static_cast<float>(probability), rng->next()};
}

Tensor Dropout::forward(const Tensor& x) const {
  Tensor y = Tensor::empty(x.shape(), x.dtype());
  with_real(name, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::dropout(config, x.data<T>(), y.mutable_data<T>(), x.size());
  });
  return y;
}

}  // namespace op

Var dropout(const Var& x, double probability, Rng* rng) {
  const kernels::Dropout config = op::drawn_dropout("dropout", probability, rng);
  return config.probability == 0 ? x : apply(op::Dropout{config}, x);
}

}  // namespace fovea
