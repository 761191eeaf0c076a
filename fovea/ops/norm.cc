#include "fovea/ops/norm.h"

#include <cmath>

#include "fovea/kernels/add_norm.h"
#include "fovea/ops/dropout.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/expect.h"

namespace fovea {
namespace op {
namespace {

void expect_weights(std::string_view op, const Tensor& x, const Tensor& gamma, const Tensor& beta) {
  if (gamma.defined()) expect_vector(op, "gamma", gamma, x.cols(), x.dtype());
  if (beta.defined()) expect_vector(op, "beta", beta, x.cols(), x.dtype());
}

template <class T>
kernels::Norm<T> config_of(NormKind kind, double eps, const Tensor& gamma, const Tensor& beta) {
  return {kind, static_cast<T>(eps), data_or_null<T>(gamma), data_or_null<T>(beta)};
}

// Makes room for the statistics of each row of x.
template <class T>
kernels::NormStats<T> stats_for(NormKind kind, const Tensor& x, Tensor& mean, Tensor& rstd) {
  if (kind == NormKind::layer) mean = Tensor::empty({x.rows()}, x.dtype());
  rstd = Tensor::empty({x.rows()}, x.dtype());
  return {mean.defined() ? mean.mutable_data<T>() : nullptr, rstd.mutable_data<T>()};
}

template <class T>
kernels::NormGradients<T> weight_gradients(Dim cols, DType dtype, bool gamma, bool beta,
                                           Tensor& dgamma, Tensor& dbeta) {
  if (gamma) dgamma = Tensor::empty({cols}, dtype);
  if (beta) dbeta = Tensor::empty({cols}, dtype);
  return {gamma ? dgamma.mutable_data<T>() : nullptr, beta ? dbeta.mutable_data<T>() : nullptr};
}

}  // namespace

Tensor Norm::forward(const Tensor& input, const Tensor& scale, const Tensor& shift) {
  expect_weights(name, input, scale, shift);
  x = input;
  gamma = scale;
  Tensor y = Tensor::empty(x.shape(), x.dtype());
  with_real(name, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::norm(config_of<T>(kind, eps, scale, shift), x.view<T>(), y.mutable_view<T>(),
                  stats_for<T>(kind, x, mean, rstd));
  });
  return y;
}

std::array<Tensor, 3> Norm::backward(const Tensor& dy, Needs needs) const {
  Tensor dx = Tensor::empty(x.shape(), x.dtype()), dgamma, dbeta;
  with_real(name, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::norm_backward(
        config_of<T>(kind, eps, gamma, {}), x.view<T>(), {data_or_null<T>(mean), rstd.data<T>()},
        dy.view<T>(), dx.mutable_view<T>(),
        weight_gradients<T>(x.cols(), x.dtype(), needs[1], needs[2], dgamma, dbeta));
  });
  return {dx, dgamma, dbeta};
}

std::array<Tensor, 2> AddNorm::forward(const Tensor& x, const Tensor& residual, const Tensor& scale,
                                       const Tensor& shift) {
  expect_like(name, "a residual", residual, x);
  expect_weights(name, x, scale, shift);
  gamma = scale;
  z = Tensor::empty(x.shape(), x.dtype());
  Tensor y = Tensor::empty(x.shape(), x.dtype());
  with_real(name, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::add_norm({config_of<T>(kind, eps, scale, shift), dropout}, x.view<T>(),
                      residual.view<T>(), z.mutable_view<T>(), y.mutable_view<T>(),
                      stats_for<T>(kind, x, mean, rstd));
  });
  return {z, y};
}

std::array<Tensor, 4> AddNorm::gradients(const Tensor& dz, const Tensor& dy, Needs needs) const {
  Tensor dresidual = Tensor::empty(z.shape(), z.dtype()), dgamma, dbeta;
  Tensor dx = dropout.probability > 0 ? Tensor::empty(z.shape(), z.dtype()) : dresidual;
  with_real(name, z.dtype(), [&](auto zero) {
    using T = decltype(zero);
    kernels::add_norm_backward(
        {config_of<T>(kind, eps, gamma, {}), dropout}, z.view<T>(),
        {data_or_null<T>(mean), rstd.data<T>()}, dy.view<T>(),
        dz.defined() ? dz.view<T>() : Rows<const T>(),
        {dx.mutable_view<T>(), dresidual.mutable_view<T>(),
         weight_gradients<T>(z.cols(), z.dtype(), needs[2], needs[3], dgamma, dbeta)});
  });
  return {dx, dresidual, dgamma, dbeta};
}

}  // namespace op

namespace {

op::AddNorm seam_of(const AddNormOptions& options) {
  return {options.kind, options.eps, op::drawn_dropout("add_norm", options.dropout, options.rng)};
}

}  // namespace

// An RMS norm, scaled: sqrt(sum + eps^2) = sqrt(D) sqrt(mean + eps^2 / D).
Var l2_normalize(const Var& x, double eps) {
  const double cols = static_cast<double>(std::max<Dim>(x.cols(), 1));
  return scale(rms_norm(x, {}, eps * eps / cols), 1 / std::sqrt(cols));
}

std::array<Var, 2> add_dropout_norm(const Var& x, const Var& residual, const Var& gamma,
                                    const Var& beta, const AddNormOptions& options) {
  return apply(seam_of(options), x, residual, gamma, beta);
}

Var post_norm(const Var& x, const Var& residual, const Var& gamma, const Var& beta,
              const AddNormOptions& options) {
  return apply(op::PostNorm{seam_of(options)}, x, residual, gamma, beta);
}

}  // namespace fovea
