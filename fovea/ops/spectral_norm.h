/// Weights seen through a norm.
#pragma once

#include "fovea/autograd/apply.h"

namespace fovea {
namespace op {

struct SpectralNorm {
  static constexpr std::string_view name = "spectral norm";
  Tensor u, v;       // (rows), (cols)
  Tensor y = {};     // W / sigma
  double sigma = 0;  // u' W v
  Tensor forward(const Tensor& weight);
  std::array<Tensor, 1> backward(const Tensor& dy) const;
};

struct WeightNorm {
  static constexpr std::string_view name = "weight norm";
  Tensor direction = {}, length = {};  // v, g
  Tensor norms = {};                   // (rows): |v|
  Tensor forward(const Tensor& direction, const Tensor& length);
  std::array<Tensor, 2> backward(const Tensor& dy) const;
};

}  // namespace op

/// Estimates of the singular vectors of a weight's largest singular value, kept from step to step.
struct SpectralVectors {
  Tensor u;  // (rows)
  Tensor v;  // (cols)
};

/// One step of power iteration: v = W'u / |W'u|, u = Wv / |Wv|. Where a product is zero, the vector
/// stays as it is.
void power_iteration(const Tensor& weight, SpectralVectors& vectors);

/// W / sigma with sigma = u' W v, the largest singular value when u and v have converged. The
/// gradient goes through sigma, with u and v constant:
///   dW = (dY - (sum of dY Y) u v') / sigma.  Miyato et al. 2018
/// A weight of more than two extents is seen as a matrix of its first extent by all others. A sigma
/// of zero divides nothing: the weight stays as it is.
inline Var spectral_norm(const Var& weight, const SpectralVectors& vectors) {
  return apply(op::SpectralNorm{.u = vectors.u, .v = vectors.v}, weight);
}

/// W = g v / |v| for each row (or each of the first extent). Salimans and Kingma 2016
/// A row of zeros stays zeros.
inline Var weight_norm(const Var& direction, const Var& length) {
  return apply(op::WeightNorm{}, direction, length);
}

}  // namespace fovea
