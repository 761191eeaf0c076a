#include "fovea/kernels/convert.h"

#include "fovea/base/threads.h"
#include "fovea/kernels/convert_plain.h"
#include "fovea/kernels/grain.h"
#include "fovea/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/kernels/convert.cc"
#include "hwy/foreach_target.h"
// After foreach_target:
#include "fovea/kernels/rows-inl.h"
#include "hwy/highway.h"

// Before AVX2 there is no instruction for halves, and Highway's stand-in knows neither infinity nor
// the smallest numbers.
#undef FOVEA_HALVES_IN_SOFTWARE
#define FOVEA_HALVES_IN_SOFTWARE \
  (HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SSE4)

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {

/// body(i) for each whole vector, rest(i) for each number that is left.
template <class Body, class Rest>
HWY_INLINE void ForEachWhole(Dim count, Body body, Rest rest) {
  Dim i = 0;
  for (; i + kRowLanes <= count; i += kRowLanes) body(i);
  for (; i < count; ++i) rest(i);
}

void HalfToFloat(const std::uint16_t* x, float* y, Dim count) {
  const auto one = [=](Dim i) { y[i] = plain::half_to_float(x[i]); };
#if FOVEA_HALVES_IN_SOFTWARE
  for (Dim i = 0; i < count; ++i) one(i);
#else
  const RowTag f;
  const hn::Rebind<hwy::float16_t, RowTag> halves;
  const hn::Rebind<std::uint16_t, RowTag> bits;
  ForEachWhole(
      count,
      [=](Dim i) {
        hn::StoreU(hn::PromoteTo(f, hn::BitCast(halves, hn::LoadU(bits, x + i))), f, y + i);
      },
      one);
#endif
}

void FloatToHalf(const float* x, std::uint16_t* y, Dim count) {
  const auto one = [=](Dim i) { y[i] = plain::float_to_half(x[i]); };
#if FOVEA_HALVES_IN_SOFTWARE
  for (Dim i = 0; i < count; ++i) one(i);
#else
  const RowTag f;
  const hn::Rebind<hwy::float16_t, RowTag> halves;
  const hn::Rebind<std::uint16_t, RowTag> bits;
  ForEachWhole(
      count,
      [=](Dim i) {
        const auto half = hn::DemoteTo(halves, hn::LoadU(f, x + i));
        hn::StoreU(hn::BitCast(bits, half), bits, y + i);
      },
      one);
#endif
}

void BfloatToFloat(const std::uint16_t* x, float* y, Dim count) {
  const RowTag f;
  const hn::RebindToUnsigned<RowTag> words;
  const hn::Rebind<std::uint16_t, RowTag> bits;
  ForEachWhole(
      count,
      [=](Dim i) {
        const auto word = hn::ShiftLeft<16>(hn::PromoteTo(words, hn::LoadU(bits, x + i)));
        hn::StoreU(hn::BitCast(f, word), f, y + i);
      },
      [=](Dim i) { y[i] = plain::bfloat_to_float(x[i]); });
}

void FloatToBfloat(const float* x, std::uint16_t* y, Dim count) {
  const RowTag f;
  const hn::RebindToUnsigned<RowTag> words;
  const hn::RebindToSigned<RowTag> ints;
  const hn::Rebind<std::uint16_t, RowTag> bits;
  ForEachWhole(
      count,
      [=](Dim i) {
        const RowVec v = hn::LoadU(f, x + i);
        const auto word = hn::BitCast(words, v);
        const auto odd = hn::And(hn::ShiftRight<16>(word), hn::Set(words, 1U));
        const auto rounded = hn::Add(word, hn::Add(odd, hn::Set(words, 0x7FFFU)));
        const auto quiet = hn::Or(word, hn::Set(words, 0x400000U));
        const auto kept = hn::IfThenElse(hn::RebindMask(words, hn::IsNaN(v)), quiet, rounded);
        hn::StoreU(hn::DemoteTo(bits, hn::BitCast(ints, hn::ShiftRight<16>(kept))), bits, y + i);
      },
      [=](Dim i) { y[i] = plain::float_to_bfloat(x[i]); });
}

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::kernels {

HWY_EXPORT(HalfToFloat);
HWY_EXPORT(FloatToHalf);
HWY_EXPORT(BfloatToFloat);
HWY_EXPORT(FloatToBfloat);

namespace {
template <class Range, class In, class Out>
void convert(Range range, const In* x, Out* y, Dim count) {
  parallel_for(count, kElementGrain,
               [&](Dim begin, Dim end) { range(x + begin, y + begin, end - begin); });
}

template <class In, class Out>
void cast(const In* x, Out* y, Dim count) {
  for (Dim i = 0; i < count; ++i) y[i] = static_cast<Out>(x[i]);
}
}  // namespace

void half_to_float(const std::uint16_t* x, float* y, Dim count) {
  convert(HWY_DYNAMIC_DISPATCH(HalfToFloat), x, y, count);
}
void float_to_half(const float* x, std::uint16_t* y, Dim count) {
  convert(HWY_DYNAMIC_DISPATCH(FloatToHalf), x, y, count);
}
void bfloat_to_float(const std::uint16_t* x, float* y, Dim count) {
  convert(HWY_DYNAMIC_DISPATCH(BfloatToFloat), x, y, count);
}
void float_to_bfloat(const float* x, std::uint16_t* y, Dim count) {
  convert(HWY_DYNAMIC_DISPATCH(FloatToBfloat), x, y, count);
}
void double_to_float(const double* x, float* y, Dim count) {
  convert(cast<double, float>, x, y, count);
}
void float_to_double(const float* x, double* y, Dim count) {
  convert(cast<float, double>, x, y, count);
}

}  // namespace fovea::kernels
#endif
