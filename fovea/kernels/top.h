/// What a search reads off a row of logits. One row a call, on the calling thread: between the two
/// a search forbids what may not follow, while the row is still in the cache.
#pragma once

#include "fovea/base/view.h"

namespace fovea::kernels {

/// ln sum_i exp(x_i). Not finite if any x_i is NaN or +inf, or none is above -inf.
float log_sum_exp(const float* x, Dim count);

/// The n largest in falling order, equal ones in the order of their columns, and where they stand.
/// NaN and -inf count as none: if there are fewer than n others, the rest is -inf at column -1.
/// One pass that compares with the n-th largest so far; made for n far below count.
void top(const float* x, Dim count, Dim n, float* values, std::int32_t* where);

}  // namespace fovea::kernels
