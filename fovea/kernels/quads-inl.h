// Operands of a product as whole numbers of 8 bits: four steps of depth stand in the place of one
// float, the first in its lowest byte, so that what moves floats about for a product moves them
// too.
//
// A row x is scale q with q = round(x / scale) in [-127, 127], scale = max |x| / 127. Of the two
// operands one must be unsigned for the instruction: a weight is stored as q + 128, and
// sum a (b + 128) = sum a b + 128 sum a, whose last term belongs to a row alone.
#if defined(FOVEA_KERNELS_QUADS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FOVEA_KERNELS_QUADS_INL_H_
#undef FOVEA_KERNELS_QUADS_INL_H_
#else
#define FOVEA_KERNELS_QUADS_INL_H_
#endif

#include <cstdint>

#include "fovea/kernels/gemm_product.h"
#include "fovea/kernels/rows-inl.h"

// Of the instruction sets that kernels are built for, those of which some machines multiply them.
#undef FOVEA_HAS_QUADS
#define FOVEA_HAS_QUADS (HWY_TARGET == HWY_AVX3)

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {
#if FOVEA_HAS_QUADS

/// sum + a0 b0 + a1 b1 + a2 b2 + a3 b3 of the quads in each lane, a signed and b not, the sum an
/// int32. As an instruction, since Highway 1.0 has none: it runs only where can_multiply_int8()
/// says that it can.
HWY_INLINE RowVec MulAddQuads(RowVec a, RowVec b, RowVec sum) {
  asm("vpdpbusd %1, %2, %0" : "+v"(sum.raw) : "v"(a.raw), "v"(b.raw));
  return sum;
}

/// max |x|; NaN if there is one.
HWY_INLINE float LargestOf(const float* x, Dim count) {
  const RowTag f;
  RowVec largest = hn::Zero(f), sum = largest;
  ForEachVector(count, [&](auto lanes, Dim i) {
    const RowVec v = lanes.Load(x + i);
    largest = hn::Max(largest, hn::Abs(v));
    sum = hn::Add(sum, hn::Sub(v, v));  // NaN of NaN and of infinity
  });
  return MaxLanes(largest) + SumLanes(sum);
}

/// Rows [begin, end) of x. Past the end of depth stand zeros.
inline void ToQuads(Rows<const float> x, Dim begin, Dim end, const Quads& to, bool weights) {
  const RowTag f;
  const hn::RebindToSigned<RowTag> ints;
  const hn::Rebind<std::int8_t, RowTag> bytes;
  constexpr float kMost = 127;
  const auto shift = hn::Set(bytes, static_cast<std::int8_t>(weights ? -128 : 0));
  for (Dim r = begin; r < end; ++r) {
    const float largest = LargestOf(x[r], x.cols);
    const float smallest = 1e-30F;  // below it rows count as zeros
    to.scales[r] = largest < smallest ? 0 : largest / kMost;
    // Numbers that are not finite are zeros too: times a scale of NaN they show.
    const Dim cols = largest >= smallest ? x.cols : 0;
    const RowVec by = hn::Set(f, cols > 0 ? kMost / largest : 0);
    auto* numbers = reinterpret_cast<std::int8_t*>(to.rows[r]);
    for (Dim k = 0, block = 0; block < to.blocks(); ++block) {
      auto sum = hn::Zero(ints);
      const Dim stop = std::min(4 * to.rows.cols, k + 4 * kDepth);
      for (; k < stop; k += kRowLanes) {
        const Dim left = cols - k;
        const RowVec v = left >= kRowLanes ? hn::LoadU(f, x[r] + k)
                         : left > 0        ? LoadFirst(x[r] + k, left)
                                           : hn::Zero(f);
        const auto q = hn::NearestInt(hn::Mul(v, by));
        sum = hn::Add(sum, q);
        hn::StoreU(hn::Xor(hn::DemoteTo(bytes, q), shift), bytes, numbers + k);
      }
      to.offsets[r * to.blocks() + block] = 128 * hn::GetLane(hn::SumOfLanes(ints, sum));
    }
  }
}

#endif
}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
