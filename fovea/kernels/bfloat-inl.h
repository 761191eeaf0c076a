// Operands of a product as bfloat16: two steps of depth stand in the place of one float, the first
// in its lower half. Everything that moves floats about for a product moves such twins as well.
#if defined(FOVEA_KERNELS_BFLOAT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FOVEA_KERNELS_BFLOAT_INL_H_
#undef FOVEA_KERNELS_BFLOAT_INL_H_
#else
#define FOVEA_KERNELS_BFLOAT_INL_H_
#endif

#include <algorithm>

#include "fovea/kernels/rows-inl.h"

// Of the instruction sets that kernels are built for, those of which some machines multiply them.
#undef FOVEA_HAS_BFLOAT
#define FOVEA_HAS_BFLOAT (HWY_TARGET == HWY_AVX3)

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {
#if FOVEA_HAS_BFLOAT

using HalfTag = hn::Repartition<std::uint16_t, RowTag>;

// As instructions, since Highway 1.0 has no set with AVX512_BF16: they run only where
// can_multiply_bfloat16() says that they can.

/// sum + a0 b0 + a1 b1 of the twins in each lane.
HWY_INLINE RowVec MulAddTwins(RowVec a, RowVec b, RowVec sum) {
  asm("vdpbf16ps %1, %2, %0" : "+v"(sum.raw) : "v"(a.raw), "v"(b.raw));
  return sum;
}

/// The bfloat16 nearest to each float, those of `low` first.
HWY_INLINE hn::Vec<HalfTag> Rounded(RowVec low, RowVec high) {
  hn::Vec<HalfTag> halves;
  asm("vcvtne2ps2bf16 %1, %2, %0" : "=v"(halves.raw) : "v"(low.raw), "v"(high.raw));
  return halves;
}

/// Rows [begin, end) of x, whose depth runs along them. Past the end of depth stand zeros.
inline void TwinsAlongRows(Rows<const float> x, Dim begin, Dim end, Rows<float> twins) {
  const RowTag f;
  const auto load = [=](const float* from, Dim count) {
    return count >= kRowLanes ? hn::LoadU(f, from) : LoadFirst(from, std::max<Dim>(count, 0));
  };
  for (Dim r = begin; r < end; ++r) {
    ForEachVector(twins.cols, [&](auto lanes, Dim i) {
      const float* from = x[r] + 2 * i;
      const Dim left = x.cols - 2 * i;
      const auto halves = Rounded(load(from, left), load(from + kRowLanes, left - kRowLanes));
      lanes.Store(hn::BitCast(f, halves), twins[r] + i);
    });
  }
}

/// Rows [begin, end) of twins, of x whose depth runs down its rows.
inline void TwinsDownRows(Rows<const float> x, Dim begin, Dim end, Rows<float> twins) {
  const RowTag f;
  const hn::RebindToUnsigned<RowTag> words;
  const hn::Half<HalfTag> half;
  for (Dim r = begin; r < end; ++r) {
    const bool first = 2 * r < x.rows, second = 2 * r + 1 < x.rows;
    ForEachVector(x.cols, [&](auto lanes, Dim i) {
      const RowVec low = first ? lanes.Load(x[2 * r] + i) : hn::Zero(f);
      const RowVec high = second ? lanes.Load(x[2 * r + 1] + i) : hn::Zero(f);
      const auto halves = Rounded(low, high);
      const auto lower = hn::PromoteTo(words, hn::LowerHalf(half, halves));
      const auto upper = hn::PromoteTo(words, hn::UpperHalf(half, halves));
      lanes.Store(hn::BitCast(f, hn::Or(lower, hn::ShiftLeft<16>(upper))), twins[r] + i);
    });
  }
}

#endif
}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
