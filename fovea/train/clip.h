/// Gradients that are too long are made shorter: Pascanu et al. 2013, "On the difficulty of
/// training recurrent neural networks", Algorithm 1, over all parameters together.
#pragma once

#include "fovea/autograd/backward.h"
#include "fovea/train/trained_params.h"

namespace fovea {

/// The norm of the gradients of these parameters as one vector. It is summed in double precision
/// in an order that depends on nothing but the shapes.
double global_norm(const Gradients& gradients, const TrainedParams& params);

/// If the norm is larger than `max_norm`, all gradients times max_norm / norm. Gives the norm from
/// before. If that is not finite, nothing was changed: the caller looks, and stops or skips a step.
double clip_norm(Gradients& gradients, const TrainedParams& params, double max_norm);

}  // namespace fovea
