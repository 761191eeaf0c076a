#include "fovea/kernels/dropout.h"

#include <algorithm>

#include "fovea/base/threads.h"
#include "fovea/kernels/dropout_plain.h"
#include "fovea/kernels/grain.h"
#include "fovea/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/kernels/dropout.cc"
#include "hwy/foreach_target.h"
// After foreach_target:
#include "fovea/kernels/dropout-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {

void DropoutRange(const Dropout& config, Dim first, const float* x, float* y, Dim count) {
  DropoutMap(config, first, x, y, count, [](auto, Dim, RowVec kept) { return kept; });
}

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::kernels {

HWY_EXPORT(DropoutRange);

void dropout(const Dropout& config, const float* x, float* y, Dim count) {
  const auto range = HWY_DYNAMIC_DISPATCH(DropoutRange);
  const bool copies = config.probability == 0;
  parallel_for(count, kElementGrain, [&](Dim begin, Dim end) {
    if (!copies) {
      range(config, begin, x + begin, y + begin, end - begin);
    } else if (x != y) {
      std::copy(x + begin, x + end, y + begin);
    }
  });
}

void dropout(const Dropout& config, const double* x, double* y, Dim count) {
  plain::dropout(config, x, y, count);
}

}  // namespace fovea::kernels
#endif
