// The register tile: the innermost loop of every matrix product and of attention.
//
// A panel holds kTileCols columns of the right-hand matrix, row after row (k-major), so that one
// step of k reads kTileVectors whole vectors. Each element of the product is one chain of fused
// multiply-adds in rising k, whatever the number of rows in the tile: this is what makes a row's
// bits independent of the rest of its batch.
#if defined(FOVEA_KERNELS_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FOVEA_KERNELS_TILE_INL_H_
#undef FOVEA_KERNELS_TILE_INL_H_
#else
#define FOVEA_KERNELS_TILE_INL_H_
#endif

#include "fovea/base/view.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using FloatVec = hn::Vec<Floats>;
constexpr Dim kLanes = static_cast<Dim>(hn::MaxLanes(Floats()));

// 24 sums of 32 registers, or 12 of 16: what is left holds the panel's vectors and one broadcast.
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON
constexpr Dim kTileRows = 8, kTileVectors = 3;
#else
constexpr Dim kTileRows = 6, kTileVectors = 2;
#endif
constexpr Dim kTileCols = kTileVectors * kLanes;

/// sums[i] = sum over k < depth of a(i, k) * panel(k, .), with a(i, k) at a[i * row + k * step].
/// kStep is known when compiling where it matters: 1 for rows as they stand, kTileRows when packed.
template <Dim kRows, Dim kRow, Dim kStep>
HWY_INLINE void TileSums(const float* HWY_RESTRICT a, Dim row, const float* HWY_RESTRICT panel,
                         Dim depth, FloatVec (&sums)[kRows][kTileVectors]) {
  const Floats f;
  for (Dim i = 0; i < kRows; ++i) {
    for (Dim v = 0; v < kTileVectors; ++v) sums[i][v] = hn::Zero(f);
  }
  const Dim stride = kRow ? kRow : row;
  for (Dim k = 0; k < depth; ++k) {
    FloatVec b[kTileVectors];
    for (Dim v = 0; v < kTileVectors; ++v) b[v] = hn::LoadU(f, panel + k * kTileCols + v * kLanes);
    for (Dim i = 0; i < kRows; ++i) {
      const FloatVec ai = hn::Set(f, a[i * stride + k * kStep]);
      for (Dim v = 0; v < kTileVectors; ++v) sums[i][v] = hn::MulAdd(ai, b[v], sums[i][v]);
    }
  }
}

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
