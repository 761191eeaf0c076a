/// Normalisation of rows, alone and fused with the dropout and the residual before it.
#pragma once

#include "fovea/autograd/apply.h"
#include "fovea/base/rng.h"
#include "fovea/kernels/dropout.h"
#include "fovea/kernels/norm.h"

namespace fovea {

using kernels::NormKind;

namespace op {

/// y = norm(x) with gamma and beta, each of which may be left out.
struct Norm {
  static constexpr std::string_view name = "norm";
  NormKind kind = NormKind::layer;
  double eps = 1e-5;
  Tensor x = {}, gamma = {}, mean = {}, rstd = {};
  Tensor forward(const Tensor& input, const Tensor& scale, const Tensor& shift);
  std::array<Tensor, 3> backward(const Tensor& dy, Needs needs) const;
};

/// z = residual + dropout(x), y = norm(z). Gives z and y.
struct AddNorm {
  static constexpr std::string_view name = "add_norm";
  NormKind kind = NormKind::layer;
  double eps = 1e-5;
  kernels::Dropout dropout = {};
  Tensor z = {}, gamma = {}, mean = {}, rstd = {};
  std::array<Tensor, 2> forward(const Tensor& x, const Tensor& residual, const Tensor& scale,
                                const Tensor& shift);
  std::array<Tensor, 4> backward(std::span<const Tensor> dy, Needs needs) const {
    return gradients(dy[0], dy[1], needs);
  }
  /// `dz` is undefined if nothing comes back along z.
  std::array<Tensor, 4> gradients(const Tensor& dz, const Tensor& dy, Needs needs) const;
};

/// The same, giving y alone.
struct PostNorm {
  static constexpr std::string_view name = "post_norm";
  AddNorm seam;
  Tensor forward(const Tensor& x, const Tensor& residual, const Tensor& scale,
                 const Tensor& shift) {
    return seam.forward(x, residual, scale, shift)[1];
  }
  std::array<Tensor, 4> backward(const Tensor& dy, Needs needs) const {
    return seam.gradients({}, dy, needs);
  }
};

}  // namespace op

/// y = gamma (x - mean) / sqrt(variance + eps) + beta over each row. Ba et al. 2016.
/// gamma and beta (D) may be left out.
inline Var layer_norm(const Var& x, const Var& gamma = {}, const Var& beta = {},
                      double eps = 1e-5) {
  return apply(op::Norm{NormKind::layer, eps}, x, gamma, beta);
}

/// y = gamma x / sqrt(mean of x^2 + eps) over each row. Zhang and Sennrich 2019.
inline Var rms_norm(const Var& x, const Var& gamma = {}, double eps = 1e-6) {
  return apply(op::Norm{NormKind::rms, eps}, x, gamma, Var());
}

/// y = x / sqrt(sum of x^2 + eps^2) over each row: rows of length 1.
Var l2_normalize(const Var& x, double eps = 1e-12);

struct AddNormOptions {
  NormKind kind = NormKind::layer;
  double eps = 1e-5;
  double dropout = 0;
  Rng* rng = nullptr;  // null: no dropout
};

/// {z, y} with z = residual + dropout(x), y = norm(z): the seam between two sublayers of a pre-norm
/// Transformer, in one pass.
std::array<Var, 2> add_dropout_norm(const Var& x, const Var& residual, const Var& gamma,
                                    const Var& beta, const AddNormOptions& options = {});

/// y alone: the end of a post-norm sublayer, as in Vaswani et al. 2017, 5.4.
Var post_norm(const Var& x, const Var& residual, const Var& gamma, const Var& beta,
              const AddNormOptions& options = {});

}  // namespace fovea
