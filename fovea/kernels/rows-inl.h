// Helpers for loops over one row of floats: whole vectors first, then a masked rest, so that the
// order of every sum depends only on the length of the row.
#if defined(FOVEA_KERNELS_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FOVEA_KERNELS_ROWS_INL_H_
#undef FOVEA_KERNELS_ROWS_INL_H_
#else
#define FOVEA_KERNELS_ROWS_INL_H_
#endif

#include <limits>

#include "fovea/base/view.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using RowTag = hn::ScalableTag<float>;
using RowVec = hn::Vec<RowTag>;
constexpr Dim kRowLanes = static_cast<Dim>(hn::MaxLanes(RowTag()));

// Where the machine has no masked load and store, Highway reads and writes whole vectors: past the
// end of memory, and over what another thread writes there. A copy of the lanes does not.
/// The first `count` lanes, the others zero.
HWY_INLINE RowVec LoadFirst(const float* p, Dim count) {
  const RowTag f;
#if HWY_MEM_OPS_MIGHT_FAULT
  HWY_ALIGN float lanes[kRowLanes] = {};
  for (Dim i = 0; i < count; ++i) lanes[i] = p[i];
  return hn::Load(f, lanes);
#else
  return hn::MaskedLoad(hn::FirstN(f, static_cast<std::size_t>(count)), f, p);
#endif
}

HWY_INLINE void StoreFirst(RowVec v, float* p, Dim count) {
  const RowTag f;
#if HWY_MEM_OPS_MIGHT_FAULT
  HWY_ALIGN float lanes[kRowLanes];
  hn::Store(v, f, lanes);
  for (Dim i = 0; i < count; ++i) p[i] = lanes[i];
#else
  hn::BlendedStore(v, hn::FirstN(f, static_cast<std::size_t>(count)), f, p);
#endif
}

/// How ForEachVector lets its body reach memory: a whole vector, or the first lanes of one.
struct WholeVector {
  HWY_INLINE RowVec Load(const float* p) const { return hn::LoadU(RowTag(), p); }
  HWY_INLINE void Store(RowVec v, float* p) const { hn::StoreU(v, RowTag(), p); }
};
struct PartVector {
  Dim count;
  HWY_INLINE RowVec Load(const float* p) const { return LoadFirst(p, count); }
  HWY_INLINE void Store(RowVec v, float* p) const { StoreFirst(v, p, count); }
};

/// body(lanes, i) for each vector of [0, count), i being its first index: for loops with several
/// inputs and outputs, which it reads by lanes.Load(x + i) and writes by lanes.Store(v, y + i).
template <class Body>
HWY_INLINE void ForEachVector(Dim count, Body body) {
  Dim i = 0;
  for (; i + kRowLanes <= count; i += kRowLanes) body(WholeVector{}, i);
  if (i < count) body(PartVector{count - i}, i);
}

/// The sum over [0, count) of term(lanes, i), lanes that were not loaded being left out. Four
/// running sums, so that the additions overlap.
template <class Term>
HWY_INLINE RowVec SumVectors(Dim count, Term term) {
  const RowTag f;
  RowVec s0 = hn::Zero(f), s1 = s0, s2 = s0, s3 = s0;
  Dim i = 0;
  for (; i + 4 * kRowLanes <= count; i += 4 * kRowLanes) {
    s0 = hn::Add(s0, term(WholeVector{}, i));
    s1 = hn::Add(s1, term(WholeVector{}, i + kRowLanes));
    s2 = hn::Add(s2, term(WholeVector{}, i + 2 * kRowLanes));
    s3 = hn::Add(s3, term(WholeVector{}, i + 3 * kRowLanes));
  }
  for (; i + kRowLanes <= count; i += kRowLanes) s0 = hn::Add(s0, term(WholeVector{}, i));
  if (i < count) {
    const auto mask = hn::FirstN(f, static_cast<std::size_t>(count - i));
    s1 = hn::Add(s1, hn::IfThenElseZero(mask, term(PartVector{count - i}, i)));
  }
  return hn::Add(hn::Add(s0, s1), hn::Add(s2, s3));
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

/// The largest of a row; -inf if it is empty.
HWY_INLINE float MaxRow(const float* x, Dim count) {
  const RowTag f;
  float top = -std::numeric_limits<float>::infinity();
  Dim i = 0;
  if (count >= kRowLanes) {
    RowVec largest = hn::Set(f, top);
    for (; i + kRowLanes <= count; i += kRowLanes) largest = hn::Max(largest, hn::LoadU(f, x + i));
    top = MaxLanes(largest);
  }
  for (; i < count; ++i) top = x[i] <= top ? top : x[i];  // so that NaN shows
  return top;
}

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
