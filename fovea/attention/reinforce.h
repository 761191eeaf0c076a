/// Hard attention draws a place, and a draw has no gradient. REINFORCE (Williams 1992) makes places
/// likelier that were followed by more than was expected:
///
///   grad E[R] = E[(R - b) grad log p(place)],   b: what is expected, a moving average
///
/// Xu et al. 2015, eqs. 11 and 12, with R for a row what its target and those after it are worth:
/// a place has no influence on what was written before it.
///
/// Letters: N rows of targets.
#pragma once

#include "fovea/autograd/var.h"
#include "fovea/tensor/segments.h"

namespace fovea {

/// - sum_i (R_i - b_i) log p_i, where R_i is the sum of `worth` from row i to the end of its
/// sequence and b_i is `baseline` times the number of these rows. log_probability (N, 1), worth (N)
/// f32.
Var reinforce(const Var& log_probability, const Tensor& worth, const Segments& rows,
              double baseline);

/// b = 0.9 b + 0.1 mean(worth): Xu et al. 2015, 4.1. (1)
void follow(Tensor& baseline, const Tensor& worth);

}  // namespace fovea
