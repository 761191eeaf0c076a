/// How parameters begin, as the papers state it.
#pragma once

#include <functional>

#include "fovea/base/rng.h"
#include "fovea/tensor/tensor.h"

namespace fovea {

/// Fills an f32 or f64 tensor from a row of random numbers.
using Init = std::function<void(Tensor&, const Draws&)>;

namespace init {

Init constant(double value);
inline Init zeros() { return constant(0); }
inline Init ones() { return constant(1); }
/// In [-bound, bound).
Init uniform(double bound);
Init normal(double deviation);
/// Normal, drawn again outside of two deviations: BERT, Devlin 2019; ViT.
Init truncated_normal(double deviation);
/// U(-a, a) with a = gain sqrt(6 / (in + out)): Glorot and Bengio 2010, eq. 16. A weight is (out,
/// in), of a convolution (out, in, ...): there each counts once for every position of the kernel.
Init xavier(double gain = 1);
/// U(-a, a) with a = sqrt(6 / in): He et al. 2015, eq. 10.
Init kaiming();
/// U(-a, a) with a = 1 / sqrt(in): LeCun et al. 1998, "Efficient backprop"; PyTorch's Linear.
Init lecun();
/// Rows (or columns, whichever are fewer) orthonormal: Saxe et al. 2014.
Init orthogonal(double gain = 1);

}  // namespace init
}  // namespace fovea
