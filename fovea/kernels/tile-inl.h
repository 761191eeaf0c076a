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
#include "fovea/kernels/bfloat-inl.h"
#include "fovea/kernels/quads-inl.h"
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

/// How a tile reads its operands: a(i, k) is at a[i * row + k * step], row 0 meaning a distance
/// that is known only when running. Of each panel the first `vectors` are wanted; few rows take
/// several panels side by side, so that there are sums enough to keep the multipliers busy. Both
/// operands are floats, or twins or quads in their place (bfloat-inl.h, quads-inl.h).
struct TileShape {
  Dim row = 0, step = 1;
  Dim panels = 1, vectors = kTileVectors;
  Multiplier by = Multiplier::floats;
};

template <Multiplier kBy>
HWY_INLINE FloatVec MulAddStep(FloatVec a, FloatVec b, FloatVec sum) {
#if FOVEA_HAS_BFLOAT
  if constexpr (kBy == Multiplier::twins) return MulAddTwins(a, b, sum);
#endif
#if FOVEA_HAS_QUADS
  if constexpr (kBy == Multiplier::quads) return MulAddQuads(a, b, sum);
#endif
  return hn::MulAdd(a, b, sum);
}

/// sums[i] = sum over k < depth of a(i, k) * panel(k, .); panels are `panel_stride` floats apart.
template <TileShape kShape, Dim kRows>
HWY_INLINE void ShapedTileSums(const float* HWY_RESTRICT a, Dim row,
                               const float* HWY_RESTRICT panel, Dim panel_stride, Dim depth,
                               FloatVec (&sums)[kRows][kShape.panels * kShape.vectors]) {
  const Floats f;
  constexpr Dim kVectors = kShape.panels * kShape.vectors;
  for (Dim i = 0; i < kRows; ++i) {
    for (Dim v = 0; v < kVectors; ++v) sums[i][v] = hn::Zero(f);
  }
  const Dim stride = kShape.row ? kShape.row : row;
  for (Dim k = 0; k < depth; ++k) {
    FloatVec b[kVectors];
    for (Dim v = 0; v < kVectors; ++v) {
      b[v] = hn::LoadU(f, panel + v / kShape.vectors * panel_stride + k * kTileCols +
                              v % kShape.vectors * kLanes);
    }
    for (Dim i = 0; i < kRows; ++i) {
      const FloatVec ai = hn::Set(f, a[i * stride + k * kShape.step]);
      for (Dim v = 0; v < kVectors; ++v) {
        sums[i][v] = MulAddStep<kShape.by>(ai, b[v], sums[i][v]);
      }
    }
  }
}

/// The whole of one panel.
template <Dim kRows, Dim kRow, Dim kStep>
HWY_INLINE void TileSums(const float* HWY_RESTRICT a, Dim row, const float* HWY_RESTRICT panel,
                         Dim depth, FloatVec (&sums)[kRows][kTileVectors]) {
  ShapedTileSums<TileShape{.row = kRow, .step = kStep}>(a, row, panel, 0, depth, sums);
}

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
