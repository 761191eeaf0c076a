#include "fovea/kernels/top.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/kernels/top.cc"
#include "hwy/foreach_target.h"
// After foreach_target:
#include "fovea/kernels/math-inl.h"
#include "fovea/kernels/rows-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {

float LogSumExp(const float* x, Dim count) {
  const float largest = MaxRow(x, count);
  const RowVec shift = hn::Set(RowTag(), largest);
  return largest + std::log(SumLanes(SumVectors(count, [x, shift](auto lanes, Dim i) {
           return Exp(hn::Sub(lanes.Load(x + i), shift));
         })));
}

/// Takes x_i in [begin, end) that are larger than the least of the n kept so far. Columns rise, so
/// one that equals the least comes after it and is left out.
HWY_INLINE void Keep(const float* x, Dim begin, Dim end, Dim n, float* values,
                     std::int32_t* where) {
  for (Dim i = begin; i < end; ++i) {
    const float value = x[i];
    if (!(value > values[n - 1])) continue;
    Dim k = n - 1;
    for (; k > 0 && value > values[k - 1]; --k) {
      values[k] = values[k - 1];
      where[k] = where[k - 1];
    }
    values[k] = value;
    where[k] = static_cast<std::int32_t>(i);
  }
}

void Top(const float* x, Dim count, Dim n, float* values, std::int32_t* where) {
  const RowTag f;
  std::fill_n(values, n, -std::numeric_limits<float>::infinity());
  std::fill_n(where, n, -1);
  if (n == 0) return;
  constexpr Dim kStep = 4 * kRowLanes;
  Dim i = 0;
  for (; i + kStep <= count; i += kStep) {
    const RowVec least = hn::Set(f, values[n - 1]);
    const auto above = [&](Dim k) { return hn::Gt(hn::LoadU(f, x + i + k * kRowLanes), least); };
    const auto any = hn::Or(hn::Or(above(0), above(1)), hn::Or(above(2), above(3)));
    if (!hn::AllFalse(f, any)) Keep(x, i, i + kStep, n, values, where);
  }
  Keep(x, i, count, n, values, where);
}

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::kernels {

HWY_EXPORT(LogSumExp);
HWY_EXPORT(Top);

float log_sum_exp(const float* x, Dim count) { return HWY_DYNAMIC_DISPATCH(LogSumExp)(x, count); }

void top(const float* x, Dim count, Dim n, float* values, std::int32_t* where) {
  HWY_DYNAMIC_DISPATCH(Top)(x, count, n, values, where);
}

}  // namespace fovea::kernels
#endif
