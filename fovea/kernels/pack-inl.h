// Operands in the order in which the register tile reads them.
//
// Panels of the right-hand matrix b (depth, cols): panel p holds columns [p, p + 1) * kTileCols,
// all of their depth, k-major. What stands in the columns past the last is never read into a
// result. Tiles of the left-hand matrix a when it is stored transposed, (depth, rows): all depth of
// at most kTileRows rows, k-major.
#if defined(FOVEA_KERNELS_PACK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FOVEA_KERNELS_PACK_INL_H_
#undef FOVEA_KERNELS_PACK_INL_H_
#else
#define FOVEA_KERNELS_PACK_INL_H_
#endif

#include <algorithm>
#include <cstring>

#include "fovea/kernels/rows-inl.h"
#include "fovea/kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {

/// Row t of `count` nearly equal shares of [0, total).
HWY_INLINE Dim ShareBegin(Dim total, Dim count, Dim t) { return total * t / count; }

// One lane has nothing to transpose.
#if HWY_TARGET == HWY_SCALAR
HWY_INLINE void TransposeFour(const float* const* rows, Dim k, float* to, Dim stride) {
  for (Dim i = 0; i < 4; ++i) to[i * stride] = rows[0][k + i];
}
#else
/// Four floats of each of kLanes / 4 rows, in blocks of 128 bits: rows[0], rows[4], rows[8], ...
template <class D>
HWY_INLINE hn::Vec<D> LoadBlocks(D d, const float* const* rows, Dim k) {
  if constexpr (hn::MaxLanes(D()) <= 4) {
    return hn::LoadU(d, rows[0] + k);
  } else {
    const hn::Half<D> half;
    constexpr Dim kHalf = static_cast<Dim>(hn::MaxLanes(D())) / 2;
    return hn::Combine(d, LoadBlocks(half, rows + kHalf, k), LoadBlocks(half, rows, k));
  }
}

/// One vector of columns, four steps of k: within each block of 128 bits a 4 x 4 transposition.
HWY_INLINE void TransposeFour(const float* const* rows, Dim k, float* to, Dim stride) {
  const Floats f;
  const FloatVec r0 = LoadBlocks(f, rows, k), r1 = LoadBlocks(f, rows + 1, k);
  const FloatVec r2 = LoadBlocks(f, rows + 2, k), r3 = LoadBlocks(f, rows + 3, k);
  const FloatVec low02 = hn::InterleaveLower(f, r0, r2), low13 = hn::InterleaveLower(f, r1, r3);
  const FloatVec high02 = hn::InterleaveUpper(f, r0, r2), high13 = hn::InterleaveUpper(f, r1, r3);
  hn::StoreU(hn::InterleaveLower(f, low02, low13), f, to);
  hn::StoreU(hn::InterleaveUpper(f, low02, low13), f, to + stride);
  hn::StoreU(hn::InterleaveLower(f, high02, high13), f, to + 2 * stride);
  hn::StoreU(hn::InterleaveUpper(f, high02, high13), f, to + 3 * stride);
}
#endif

/// Steps [k0, k1) of one panel of b stored as (cols, depth). Past the last column stands the last.
inline void PackTransposedPanel(Rows<const float> b, Dim col, Dim k0, Dim k1, float* to) {
  const float* rows[kTileCols];
  for (Dim j = 0; j < kTileCols; ++j) rows[j] = b[std::min(col + j, b.rows - 1)];
  constexpr Dim kLine = 16;  // a cache line of few rows at a time: rows often share cache sets
  Dim k = k0;
  for (; k + kLine <= k1; k += kLine, to += kLine * kTileCols) {
    for (Dim j = 0; j < kTileCols; j += kLanes) {
      for (Dim i = 0; i < kLine; i += 4) {
        TransposeFour(rows + j, k + i, to + i * kTileCols + j, kTileCols);
      }
    }
  }
  for (; k < k1; ++k, to += kTileCols) {
    for (Dim j = 0; j < kTileCols; ++j) to[j] = rows[j][k];
  }
}

/// The same for b stored as (depth, cols). Past the last column stand zeros.
inline void PackStraightPanel(Rows<const float> b, Dim col, Dim k0, Dim k1, float* to) {
  const Floats f;
  const Dim cols = std::min(kTileCols, b.cols - col);
  for (Dim k = k0; k < k1; ++k, to += kTileCols) {
    const float* from = b[k] + col;
    if (cols == kTileCols) {
      for (Dim j = 0; j < kTileCols; j += kLanes) hn::StoreU(hn::LoadU(f, from + j), f, to + j);
    } else {
      for (Dim j = 0; j < kTileCols; j += kLanes) {
        const Dim count = std::clamp<Dim>(cols - j, 0, kLanes);
        hn::StoreU(count > 0 ? LoadFirst(from + j, count) : hn::Zero(f), f, to + j);
      }
    }
  }
}

HWY_INLINE void PackPanel(Rows<const float> b, bool transposed, Dim col, Dim k0, Dim k1,
                          float* to) {
  if (transposed) {
    PackTransposedPanel(b, col, k0, k1, to);
  } else {
    PackStraightPanel(b, col, k0, k1, to);
  }
}

/// Panels [begin, end) of b, each `depth` deep, one after the other. A few steps of k at a time
/// over all of them, so that rows are read along their length.
inline void PackPanels(Rows<const float> b, bool transposed, Dim depth, Dim begin, Dim end,
                       float* panels) {
  const Dim slice = transposed ? depth : 16;
  for (Dim k = 0; k < depth; k += slice) {
    const Dim k1 = std::min(depth, k + slice);
    for (Dim p = begin; p < end; ++p) {
      PackPanel(b, transposed, p * kTileCols, k, k1,
                panels + ((p - begin) * depth + k) * kTileCols);
    }
  }
}

/// Tiles [begin, end) of the `count` tiles of a, stored as (depth, rows). A few rows of a at a
/// time, which often share cache sets, and whole cache lines of each tile.
inline void PackTiles(Rows<const float> a, Dim count, Dim begin, Dim end, float* tiles) {
  constexpr Dim kSlice = 8;
  const Dim depth = a.rows;
  for (Dim k0 = 0; k0 < depth; k0 += kSlice) {
    const Dim k1 = std::min(depth, k0 + kSlice);
    for (Dim t = begin; t < end; ++t) {
      const Dim row = ShareBegin(a.cols, count, t), rows = ShareBegin(a.cols, count, t + 1) - row;
      float* to = tiles + (t * depth + k0) * kTileRows;
      for (Dim k = k0; k < k1; ++k, to += kTileRows) {
        if (rows == kTileRows) {
          std::memcpy(to, a[k] + row, sizeof(float) * kTileRows);
        } else {
          for (Dim i = 0; i < rows; ++i) to[i] = a[k][row + i];
        }
      }
    }
  }
}

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
