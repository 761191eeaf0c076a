/// Dropout. Srivastava et al. 2014.
#pragma once

#include "fovea/autograd/apply.h"
#include "fovea/base/rng.h"
#include "fovea/kernels/dropout.h"

namespace fovea {
namespace op {

/// Keeps no mask: what was dropped is drawn again.
struct Dropout {
  static constexpr std::string_view name = "dropout";
  kernels::Dropout config;
  Tensor forward(const Tensor& x) const;
  std::array<Tensor, 1> backward(const Tensor& dy) const { return {forward(dy)}; }
};

/// With draws of its own from `rng`; none to drop if that is null or the probability 0.
kernels::Dropout drawn_dropout(std::string_view op, double probability, Rng* rng);

}  // namespace op

/// Each element is 0 with `probability`, and grows by 1 / (1 - probability) otherwise. x itself if
/// `rng` is null.
Var dropout(const Var& x, double probability, Rng* rng);

}  // namespace fovea
