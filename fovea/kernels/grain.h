/// How much work is worth a thread of its own.
#pragma once

#include "fovea/base/view.h"

namespace fovea::kernels {

/// Elements of a memory-bound loop that are worth a second thread.
constexpr Dim kElementGrain = 8192;

/// The same in rows of `cols` elements.
constexpr Dim row_grain(Dim cols) { return kElementGrain / (cols + 1) + 1; }

}  // namespace fovea::kernels
