/// Dropout (Srivastava et al. 2014) without a mask in memory: what is dropped is drawn again from
/// the counter when the gradient comes back.
#pragma once

#include "fovea/base/rng.h"
#include "fovea/base/view.h"

namespace fovea::kernels {

/// Element i is kept iff the 16-bit number i of the draws is at least round(65536 probability):
/// number i is the half (i % 2, the low one first) of word (i / 2 % 4) of block (i / 8).
struct Dropout {
  float probability = 0;  // of being dropped, in [0, 1]
  Draws draws;

  std::int32_t threshold() const { return static_cast<std::int32_t>(probability * 65536 + 0.5F); }
  /// What is kept grows by this, so that the mean stays.
  float growth() const { return probability < 1 ? 1 / (1 - probability) : 0; }
};

/// y_i = x_i / (1 - probability) if i is kept, else 0. Its own gradient: the same call takes dy to
/// dx. x and y may be the same memory.
void dropout(const Dropout& config, const float* x, float* y, Dim count);
void dropout(const Dropout& config, const double* x, double* y, Dim count);

}  // namespace fovea::kernels
