/// The gradient of a weight from the rows that went through it.
#pragma once

#include "fovea/autograd/gradient.h"

namespace fovea::op {

/// dW = dz' x for z = x W': dz (N, out), x (N, in). Few rows, as a step of a decoder has them, wait
/// for those of the other steps: one product of all writes the weight's gradient once.
Gradient weight_gradient(const Tensor& dz, const Tensor& x);

}  // namespace fovea::op
