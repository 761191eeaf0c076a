/// The seam between two sublayers of a Transformer in one pass: dropout, residual, norm.
#pragma once

#include "fovea/kernels/dropout.h"
#include "fovea/kernels/norm.h"

namespace fovea::kernels {

template <class T>
struct AddNorm {
  Norm<T> norm;
  Dropout dropout;
};

/// z = residual + dropout(x),  y = norm(z). Vaswani et al. 2017, 5.4 (post-norm); a pre-norm layer
/// goes on from both z and y. Elements are counted row by row in the draws. z may be the same
/// memory as x or residual. Null statistics are not kept.
void add_norm(const AddNorm<float>& config, Rows<const float> x, Rows<const float> residual,
              Rows<float> z, Rows<float> y, NormStats<float> stats);
void add_norm(const AddNorm<double>& config, Rows<const double> x, Rows<const double> residual,
              Rows<double> z, Rows<double> y, NormStats<double> stats);

template <class T>
struct AddNormGradients {
  Rows<T> dx;
  Rows<T> dresidual;
  NormGradients<T> weights;
};

/// dresidual = norm_backward(dy) + dz,  dx = dropout(dresidual). dz is what comes back along z
/// itself; null data: nothing does. dresidual may be the same memory as dy, dz or z; dx too, and
/// without dropout it may be that of dresidual.
void add_norm_backward(const AddNorm<float>& config, Rows<const float> z,
                       NormStats<const float> stats, Rows<const float> dy, Rows<const float> dz,
                       const AddNormGradients<float>& gradients);
void add_norm_backward(const AddNorm<double>& config, Rows<const double> z,
                       NormStats<const double> stats, Rows<const double> dy, Rows<const double> dz,
                       const AddNormGradients<double>& gradients);

}  // namespace fovea::kernels
