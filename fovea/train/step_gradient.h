/// The gradient of one step, over as many batches as it accumulates.
#pragma once

#include <string>
#include <vector>

#include "fovea/autograd/backward.h"
#include "fovea/train/workload.h"

namespace fovea {

/// Batches [begin, end) of the epoch that has begun.
struct BatchRange {
  Dim begin = 0, end = 0;
};

struct StepGradient {
  Gradients gradients;
  std::vector<double> sums, counts;  // of each part, over all batches

  bool finite() const;  // the sums
};

/// d / d parameters of: sum over parts of weight sum_part / count_part, where sums and counts go
/// over all batches of the range: k small batches are one large one, up to rounding.
StepGradient step_gradient(Workload& work, const std::vector<LossPart>& parts, BatchRange batches,
                           Rng& rng);

/// Takes the step that gave something that is not finite once more, with the same random numbers,
/// and says in words which batch it was, and whether the loss or a gradient went wrong, and where.
std::string explain_not_finite(Workload& work, const std::vector<LossPart>& parts,
                               BatchRange batches, Rng rng);

}  // namespace fovea
