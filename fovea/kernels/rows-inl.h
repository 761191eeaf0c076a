// Helpers for loops over one row of floats: whole vectors first, then a masked rest, so that the
// order of every sum depends only on the length of the row.
#if defined(FOVEA_KERNELS_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FOVEA_KERNELS_ROWS_INL_H_
#undef FOVEA_KERNELS_ROWS_INL_H_
#else
#define FOVEA_KERNELS_ROWS_INL_H_
#endif

#include "fovea/base/view.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using RowTag = hn::ScalableTag<float>;
using RowVec = hn::Vec<RowTag>;
constexpr Dim kRowLanes = static_cast<Dim>(hn::MaxLanes(RowTag()));

/// The first `count` lanes (fewer than a vector), the others zero.
HWY_INLINE RowVec LoadFirst(const float* p, Dim count) {
  const RowTag f;
  return hn::MaskedLoad(hn::FirstN(f, static_cast<std::size_t>(count)), f, p);
}

HWY_INLINE void StoreFirst(RowVec v, float* p, Dim count) {
  const RowTag f;
  hn::BlendedStore(v, hn::FirstN(f, static_cast<std::size_t>(count)), f, p);
}

/// body(vector of x) -> vector, written to y.
template <class Body>
HWY_INLINE void MapRow(const float* x, float* y, Dim count, Body body) {
  const RowTag f;
  Dim i = 0;
  for (; i + kRowLanes <= count; i += kRowLanes) hn::StoreU(body(hn::LoadU(f, x + i)), f, y + i);
  if (i < count) StoreFirst(body(LoadFirst(x + i, count - i)), y + i, count - i);
}

/// body(vector of x, vector of y) -> vector, written to z.
template <class Body>
HWY_INLINE void MapRows(const float* x, const float* y, float* z, Dim count, Body body) {
  const RowTag f;
  Dim i = 0;
  for (; i + kRowLanes <= count; i += kRowLanes) {
    hn::StoreU(body(hn::LoadU(f, x + i), hn::LoadU(f, y + i)), f, z + i);
  }
  if (i < count) {
    const Dim rest = count - i;
    StoreFirst(body(LoadFirst(x + i, rest), LoadFirst(y + i, rest)), z + i, rest);
  }
}

HWY_INLINE float SumLanes(RowVec v) {
  const RowTag f;
  return hn::GetLane(hn::SumOfLanes(f, v));
}

HWY_INLINE float MaxLanes(RowVec v) {
  const RowTag f;
  return hn::GetLane(hn::MaxOfLanes(f, v));
}

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
