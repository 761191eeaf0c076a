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

using WordTag = hn::RebindToUnsigned<RowTag>;

/// sum + a0 b0 + a1 b1 of the twins in each lane. As an instruction, since Highway 1.0 has no set
/// with AVX512_BF16: it runs only where can_multiply_bfloat16() says that it can.
HWY_INLINE RowVec MulAddTwins(RowVec a, RowVec b, RowVec sum) {
  asm("vdpbf16ps %1, %2, %0" : "+v"(sum.raw) : "v"(a.raw), "v"(b.raw));
  return sum;
}

/// A float's bits with the bfloat16 nearest to it in the upper half; NaN stays NaN.
HWY_INLINE hn::Vec<WordTag> RoundedToUpperHalf(RowVec x) {
  const WordTag words;
  const auto bits = hn::BitCast(words, x);
  const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(words, 1));
  const auto nearest = hn::Add(bits, hn::Add(hn::Set(words, 0x7FFF), odd));
  const auto quiet = hn::Or(bits, hn::Set(words, 0x400000));
  return hn::IfThenElse(hn::RebindMask(words, hn::IsNaN(x)), quiet, nearest);
}

/// Rows [begin, end) of x, whose depth runs along them. An odd last step has a zero for its twin.
inline void TwinsAlongRows(Rows<const float> x, Dim begin, Dim end, Rows<float> twins) {
  const hn::Repartition<std::uint16_t, RowTag> halves;
  const auto load = [](const float* from, Dim count) {
    return count >= kRowLanes ? hn::LoadU(RowTag(), from)
                              : LoadFirst(from, std::max<Dim>(count, 0));
  };
  for (Dim r = begin; r < end; ++r) {
    ForEachVector(twins.cols, [&](auto lanes, Dim i) {
      const float* from = x[r] + 2 * i;
      const Dim left = x.cols - 2 * i;
      const auto low = RoundedToUpperHalf(load(from, left));
      const auto high = RoundedToUpperHalf(load(from + kRowLanes, left - kRowLanes));
      const auto both = hn::ConcatOdd(halves, hn::BitCast(halves, high), hn::BitCast(halves, low));
      lanes.Store(hn::BitCast(RowTag(), both), twins[r] + i);
    });
  }
}

/// Rows [begin, end) of twins, of x whose depth runs down its rows.
inline void TwinsDownRows(Rows<const float> x, Dim begin, Dim end, Rows<float> twins) {
  const WordTag words;
  const auto upper = hn::Set(words, 0xFFFF0000U);
  for (Dim r = begin; r < end; ++r) {
    const float* first = x[2 * r];
    const float* second = 2 * r + 1 < x.rows ? x[2 * r + 1] : nullptr;
    ForEachVector(x.cols, [&](auto lanes, Dim i) {
      auto twin = hn::ShiftRight<16>(RoundedToUpperHalf(lanes.Load(first + i)));
      if (second) twin = hn::Or(twin, hn::And(RoundedToUpperHalf(lanes.Load(second + i)), upper));
      lanes.Store(hn::BitCast(RowTag(), twin), twins[r] + i);
    });
  }
}

#endif
}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
