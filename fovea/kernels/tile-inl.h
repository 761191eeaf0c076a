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

/// sums[i] = sum over k < depth of a(i, k) * panel(k, .), with a(i, k) at a[i * row + k * kStep]
/// and kPanels panels side by side, `panel_stride` floats apart: few rows need several to fill the
/// multipliers. kRow is the distance of rows if it is known when compiling, else 0.
template <Dim kRows, Dim kPanels, Dim kRow, Dim kStep>
HWY_INLINE void WideTileSums(const float* HWY_RESTRICT a, Dim row, const float* HWY_RESTRICT panel,
                             Dim panel_stride, Dim depth,
                             FloatVec (&sums)[kRows][kPanels * kTileVectors]) {
  const Floats f;
  for (Dim i = 0; i < kRows; ++i) {
    for (Dim v = 0; v < kPanels * kTileVectors; ++v) sums[i][v] = hn::Zero(f);
  }
  const Dim stride = kRow ? kRow : row;
  for (Dim k = 0; k < depth; ++k) {
    FloatVec b[kPanels * kTileVectors];
    for (Dim p = 0; p < kPanels; ++p) {
      for (Dim v = 0; v < kTileVectors; ++v) {
        b[p * kTileVectors + v] =
            hn::LoadU(f, panel + p * panel_stride + k * kTileCols + v * kLanes);
      }
    }
    for (Dim i = 0; i < kRows; ++i) {
      const FloatVec ai = hn::Set(f, a[i * stride + k * kStep]);
      for (Dim v = 0; v < kPanels * kTileVectors; ++v) {
        sums[i][v] = hn::MulAdd(ai, b[v], sums[i][v]);
      }
    }
  }
}

/// The same with one panel.
template <Dim kRows, Dim kRow, Dim kStep>
HWY_INLINE void TileSums(const float* HWY_RESTRICT a, Dim row, const float* HWY_RESTRICT panel,
                         Dim depth, FloatVec (&sums)[kRows][kTileVectors]) {
  WideTileSums<kRows, 1, kRow, kStep>(a, row, panel, 0, depth, sums);
}

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
