/// Normalisation of rows: layer norm (Ba et al. 2016) and RMS norm (Zhang and Sennrich 2019).
#pragma once

#include <array>
#include <string_view>

#include "fovea/base/view.h"

namespace fovea::kernels {

enum class NormKind {
  layer,  // y = gamma (x - mean) rstd + beta, rstd = 1 / sqrt(variance + eps)
  rms,    // y = gamma x rstd + beta, rstd = 1 / sqrt(mean of x^2 + eps)
};
constexpr std::array<std::string_view, 2> names_of(NormKind) { return {"layer", "rms"}; }

template <class T>
struct Norm {
  NormKind kind = NormKind::layer;
  T eps = T(1e-5);
  const T* gamma = nullptr;  // one a column; null: ones
  const T* beta = nullptr;   // one a column; null: zeros
};

/// What backward needs of each row. RMS norm has no mean and leaves it alone.
template <class T>
struct NormStats {
  T* mean = nullptr;
  T* rstd = nullptr;

  operator NormStats<const T>() const { return {mean, rstd}; }  // NOLINT: implicit
};

/// y = norm(x). Null statistics are not kept. x and y may be the same memory.
void norm(const Norm<float>& config, Rows<const float> x, Rows<float> y, NormStats<float> stats);
void norm(const Norm<double>& config, Rows<const double> x, Rows<double> y,
          NormStats<double> stats);

/// Sums over all rows, each null if not wanted.
template <class T>
struct NormGradients {
  T* dgamma = nullptr;
  T* dbeta = nullptr;
};

/// With h = (x - mean) rstd (RMS: x rstd) and g = dy gamma:
///   dx = rstd (g - mean(g) - h mean(g h))   (RMS: without mean(g))
///   dgamma = sum over rows of dy h,  dbeta = sum over rows of dy.
/// dx may be the same memory as dy or x.
void norm_backward(const Norm<float>& config, Rows<const float> x, NormStats<const float> stats,
                   Rows<const float> dy, Rows<float> dx, NormGradients<float> gradients);
void norm_backward(const Norm<double>& config, Rows<const double> x, NormStats<const double> stats,
                   Rows<const double> dy, Rows<double> dx, NormGradients<double> gradients);

}  // namespace fovea::kernels
