/// Memory for time: a block keeps only its inputs and is computed again when its gradient is wanted
/// (Chen et al. 2016, "Training deep nets with sublinear memory cost").
#pragma once

#include <functional>
#include <vector>

#include "fovea/autograd/var.h"
#include "fovea/base/rng.h"

namespace fovea {

/// block(inputs), with the same value and the same gradients, of its parameters too. Other values
/// that have a gradient it may use only as inputs: an Error otherwise. `rng` is what the block draws
/// dropout from, if it does: the second time it draws the same.
Var checkpoint(std::function<Var(const std::vector<Var>&)> block, const std::vector<Var>& inputs,
               Rng* rng = nullptr);

}  // namespace fovea
