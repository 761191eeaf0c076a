// A block of a matrix product: register tiles, the order of depth, and what is done to a finished
// element.
#if defined(FOVEA_KERNELS_GEMM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FOVEA_KERNELS_GEMM_INL_H_
#undef FOVEA_KERNELS_GEMM_INL_H_
#else
#define FOVEA_KERNELS_GEMM_INL_H_
#endif

#include <algorithm>

#include "fovea/kernels/gemm_product.h"
#include "fovea/kernels/pack-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {

/// Panels that tiles of so many rows take side by side: eight sums keep two multipliers busy.
constexpr Dim PanelsAtOnce(Dim rows) { return rows == 1 ? 4 : rows <= 3 ? 2 : 1; }

/// One block of depth of a stripe: all rows of a block against one group of panels.
struct Stripe {
  Dim k, depth;  // which steps
  Dim col;       // of c, where the panels begin
  const float* panels;
  Dim panel_stride;
  bool first, last;  // block of depth
};

/// x added to what c holds if need be; bias and relu after the last block.
template <bool kWhole>
HWY_INLINE void Finish(const Product& p, const Stripe& s, FloatVec x, Dim col, Dim count,
                       float* c) {
  const Floats f;
  const auto load = [&](const float* from) {
    return kWhole ? hn::LoadU(f, from) : LoadFirst(from, count);
  };
  if (!s.first || p.options.accumulate) x = hn::Add(load(c), x);
  if (s.last && p.options.bias) x = hn::Add(x, load(p.options.bias + col));
  if (s.last && p.options.relu) x = hn::IfThenZeroElse(hn::Lt(x, hn::Zero(f)), x);
  if constexpr (kWhole) {
    hn::StoreU(x, f, c);
  } else {
    StoreFirst(x, c, count);
  }
}

template <Dim kRows, Dim kPanels>
HWY_INLINE void Tile(const Product& p, const Stripe& s, Dim tile, Dim row) {
  FloatVec sums[kRows][kPanels * kTileVectors];
  if (p.tiles) {
    const float* a = p.tiles + (tile * p.depth + s.k) * kTileRows;
    WideTileSums<kRows, kPanels, 1, kTileRows>(a, 1, s.panels, s.panel_stride, s.depth, sums);
  } else {
    WideTileSums<kRows, kPanels, 0, 1>(p.a[row] + s.k, p.a.stride, s.panels, s.panel_stride,
                                       s.depth, sums);
  }
  const Dim cols = p.c.cols - s.col;
  for (Dim i = 0; i < kRows; ++i) {
    float* c = p.c[row + i] + s.col;
    for (Dim v = 0; v < kPanels * kTileVectors; ++v) {
      const Dim j = v * kLanes;
      if (j + kLanes <= cols) {
        Finish<true>(p, s, sums[i][v], s.col + j, kLanes, c + j);
      } else if (j < cols) {
        Finish<false>(p, s, sums[i][v], s.col + j, cols - j, c + j);
      }
    }
  }
}

/// A tile of `rows` rows, a number known only now.
template <Dim kRows, Dim kPanels>
HWY_INLINE void TileOf(Dim rows, const Product& p, const Stripe& s, Dim tile, Dim row) {
  if constexpr (kRows > 0) {
    if (rows == kRows) {
      if constexpr (kPanels <= PanelsAtOnce(kRows)) Tile<kRows, kPanels>(p, s, tile, row);
    } else {
      TileOf<kRows - 1, kPanels>(rows, p, s, tile, row);
    }
  }
}

inline void TilesOf(Dim panels, const Product& p, const Stripe& s, Dim begin, Dim end) {
  for (Dim t = begin; t < end; ++t) {
    const Dim row = ShareBegin(p.c.rows, p.tile_count, t);
    const Dim rows = ShareBegin(p.c.rows, p.tile_count, t + 1) - row;
    if (panels == 4) {
      TileOf<1, 4>(rows, p, s, t, row);
    } else if (panels == 2) {
      TileOf<3, 2>(rows, p, s, t, row);
    } else {
      TileOf<kTileRows, 1>(rows, p, s, t, row);
    }
  }
}

/// The part of c in `block`. Depth is the outer loop where the rows of a would not stay in the
/// cache while the panels pass by.
inline void MultiplyBlock(const Product& p, const Block& block, float* scratch) {
  const Dim rows = ShareBegin(p.c.rows, p.tile_count, block.tile_end) -
                   ShareBegin(p.c.rows, p.tile_count, block.tile_begin);
  const Dim at_once = PanelsAtOnce(p.c.rows);
  const Dim chunk = rows * p.depth <= kRowsInCache ? std::max<Dim>(p.depth, 1) : kDepth;
  Dim chunk_begin = 0;
  do {  // once even if there is no depth
    const Dim chunk_end = std::min(p.depth, chunk_begin + chunk);
    for (Dim panel = block.panel_begin, n = 0; panel < block.panel_end; panel += n) {
      n = block.panel_end - panel >= at_once ? at_once : 1;
      Dim k = chunk_begin;
      do {
        const Dim depth = std::min(kDepth, chunk_end - k);
        Stripe s{.k = k,
                 .depth = depth,
                 .col = panel * kTileCols,
                 .panels = scratch,
                 .panel_stride = depth * kTileCols,
                 .first = k == 0,
                 .last = k + depth == p.depth};
        if (p.panels) {
          s.panels = p.panels + (panel * p.depth + k) * kTileCols;
          s.panel_stride = p.depth * kTileCols;
        } else {
          for (Dim i = 0; i < n; ++i) {
            PackPanel(p.b, p.options.transpose_b, (panel + i) * kTileCols, k, k + depth,
                      scratch + i * s.panel_stride);
          }
        }
        TilesOf(n, p, s, block.tile_begin, block.tile_end);
        k += depth;
      } while (k < chunk_end);
    }
    chunk_begin = chunk_end;
  } while (chunk_begin < p.depth);
}

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
