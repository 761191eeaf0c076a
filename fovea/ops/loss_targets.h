/// What the two cross-entropies share.
#pragma once

#include "fovea/ops/loss.h"

namespace fovea::op {

/// The weight of a row's loss in the whole. Checks the targets: (rows) i32, below `classes`.
double weight_of_target(std::string_view op, const Tensor& targets, Dim rows, Dim classes,
                        const CrossEntropyOptions& options);

/// factor * gradient; the gradient itself if the factor is 1 or there is none.
Tensor scaled_by(const Tensor& gradient, double factor);

}  // namespace fovea::op
