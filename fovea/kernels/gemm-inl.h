// A block of a matrix product: register tiles, the order of depth, and what is done to a finished
// element.
#if defined(FOVEA_KERNELS_GEMM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FOVEA_KERNELS_GEMM_INL_H_
#undef FOVEA_KERNELS_GEMM_INL_H_
#else
#define FOVEA_KERNELS_GEMM_INL_H_
#endif

#include <algorithm>
#include <utility>

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
  const float* next;  // what the next stripe will read, or null
  bool first, last;   // block of depth
};

/// Brings share `index` of `count` of the next stripe's panel nearer, into the second cache.
HWY_INLINE void PrefetchNext(const Stripe& s, Dim index, Dim count) {
  constexpr Dim kLine = 16;
  if (!s.next || count < 4) return;  // few rows stream: the machine sees that by itself
  const Dim size = s.depth * kTileCols, end = size * (index + 1) / count;
  for (Dim i = size * index / count; i < end; i += kLine) __builtin_prefetch(s.next + i, 0, 2);
}

/// A vector of a row of c or of the bias, or as much of it as there are columns: none are left
/// (`cols` is below zero) where the last of several panels has vectors past the end of the row.
template <bool kWhole>
HWY_INLINE FloatVec LoadColumns(const float* from, Dim cols) {
  if (kWhole || cols >= kLanes) return hn::LoadU(Floats(), from);
  return cols > 0 ? LoadFirst(from, cols) : hn::Zero(Floats());
}

template <bool kWhole>
HWY_INLINE void StoreColumns(FloatVec x, float* to, Dim cols) {
  if (kWhole || cols >= kLanes) {
    hn::StoreU(x, Floats(), to);
  } else if (cols > 0) {
    StoreFirst(x, to, cols);
  }
}

/// Sums are added to what c holds if need be; bias and relu come after the last block.
template <bool kWhole, Dim kRows, Dim kVectors>
HWY_INLINE void Finish(const Product& p, const Stripe& s, FloatVec (&sums)[kRows][kVectors],
                       Dim row) {
  const Floats f;
  const Dim cols = p.c.cols - s.col;
  float* c = p.c[row] + s.col;
  if (!s.first || p.options.accumulate) {
    for (Dim i = 0; i < kRows; ++i) {
      for (Dim v = 0; v < kVectors; ++v) {
        const Dim j = v * kLanes;
        const FloatVec before = LoadColumns<kWhole>(c + i * p.c.stride + j, cols - j);
        sums[i][v] = hn::Add(before, sums[i][v]);
      }
    }
  }
  if (s.last && p.options.bias) {
    for (Dim v = 0; v < kVectors; ++v) {
      const Dim j = v * kLanes;
      const FloatVec bias = LoadColumns<kWhole>(p.options.bias + s.col + j, cols - j);
      for (Dim i = 0; i < kRows; ++i) sums[i][v] = hn::Add(sums[i][v], bias);
    }
  }
  if (s.last && p.options.relu) {
    for (Dim i = 0; i < kRows; ++i) {
      for (Dim v = 0; v < kVectors; ++v) {
        sums[i][v] = hn::IfThenZeroElse(hn::Lt(sums[i][v], hn::Zero(f)), sums[i][v]);
      }
    }
  }
  for (Dim i = 0; i < kRows; ++i) {
    for (Dim v = 0; v < kVectors; ++v) {
      StoreColumns<kWhole>(sums[i][v], c + i * p.c.stride + v * kLanes, cols - v * kLanes);
    }
  }
}

#if FOVEA_HAS_QUADS
/// Sums of whole numbers become floats: what stands in them of a row's offset is taken off, and the
/// rest is scaled as the row and the column were.
template <Dim kRows, Dim kVectors>
HWY_INLINE void Scale(const Product& p, const Stripe& s, FloatVec (&sums)[kRows][kVectors],
                      Dim row) {
  const Floats f;
  const hn::RebindToSigned<Floats> ints;
  for (Dim v = 0; v < kVectors; ++v) {
    const FloatVec col = hn::LoadU(f, p.col_scales + s.col + v * kLanes);
    for (Dim i = 0; i < kRows; ++i) {
      const auto offset = hn::Set(ints, p.left.offsets[(row + i) * p.left.blocks() + s.k / kDepth]);
      const auto whole = hn::ConvertTo(f, hn::Sub(hn::BitCast(ints, sums[i][v]), offset));
      sums[i][v] = hn::Mul(whole, hn::Mul(hn::Set(f, p.left.scales[row + i]), col));
    }
  }
}
#endif

template <Multiplier kBy, Dim kRows, Dim kPanels, Dim kVectors>
HWY_INLINE void Tile(const Product& p, const Stripe& s, Dim tile, Dim row) {
  for (Dim i = 0; i < kRows; ++i) {
    for (Dim j = 0; j < kPanels * kVectors * kLanes; j += 16) {
      __builtin_prefetch(p.c[row + i] + s.col + j, 1);
    }
  }
  FloatVec sums[kRows][kPanels * kVectors];
  if (p.tiles) {
    constexpr TileShape kShape{
        .row = 1, .step = kTileRows, .panels = kPanels, .vectors = kVectors, .by = kBy};
    const float* a = p.tiles + (tile * p.depth + s.k) * kTileRows;
    ShapedTileSums<kShape>(a, 1, s.panels, s.panel_stride, s.depth, sums);
  } else {
    constexpr TileShape kShape{.panels = kPanels, .vectors = kVectors, .by = kBy};
    ShapedTileSums<kShape>(p.a[row] + s.k, p.a.stride, s.panels, s.panel_stride, s.depth, sums);
  }
#if FOVEA_HAS_QUADS
  if constexpr (kBy == Multiplier::quads) Scale(p, s, sums, row);
#endif
  if (p.c.cols - s.col >= kPanels * kVectors * kLanes) {
    Finish<true>(p, s, sums, row);
  } else {
    Finish<false>(p, s, sums, row);
  }
}

/// All tiles of a stripe. The number of rows of each is known only now.
template <Multiplier kBy, Dim kPanels, Dim kVectors>
HWY_NOINLINE void Tiles(const Product& p, const Stripe& s, Dim begin, Dim end) {
  for (Dim t = begin; t < end; ++t) {
    PrefetchNext(s, t - begin, end - begin);
    const Dim row = ShareBegin(p.c.rows, p.tile_count, t);
    const Dim rows = ShareBegin(p.c.rows, p.tile_count, t + 1) - row;
    [&]<Dim... kLess>(std::integer_sequence<Dim, kLess...>) {
      const auto tile = [&]<Dim kRows>(std::integral_constant<Dim, kRows>) {
        if constexpr (kPanels <= PanelsAtOnce(kRows)) {
          if (rows == kRows) Tile<kBy, kRows, kPanels, kVectors>(p, s, t, row);
        }
      };
      (tile(std::integral_constant<Dim, kTileRows - kLess>()), ...);
    }
    (std::make_integer_sequence<Dim, kTileRows>());
  }
}

template <Multiplier kBy>
void TilesOf(Dim panels, const Product& p, const Stripe& s, Dim begin, Dim end) {
  const Dim vectors = (p.c.cols - s.col + kLanes - 1) / kLanes;
  if (panels == 4) {
    Tiles<kBy, 4, kTileVectors>(p, s, begin, end);
  } else if (panels == 2) {
    Tiles<kBy, 2, kTileVectors>(p, s, begin, end);
  } else if (vectors >= kTileVectors) {
    Tiles<kBy, 1, kTileVectors>(p, s, begin, end);
  } else if (vectors == 2) {
    Tiles<kBy, 1, 2>(p, s, begin, end);
  } else {
    Tiles<kBy, 1, 1>(p, s, begin, end);
  }
}

/// body(panels, stripe) for all stripes of a block, `at_once` panels side by side where there are
/// as many. Depth is the outer loop where the rows of a would not stay in the cache while the
/// panels pass by.
template <class Body>
HWY_INLINE void ForEachStripe(const Product& p, const Block& block, Dim at_once, float* scratch,
                              Body body) {
  const Dim rows = ShareBegin(p.c.rows, p.tile_count, block.tile_end) -
                   ShareBegin(p.c.rows, p.tile_count, block.tile_begin);
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
                 .next = nullptr,
                 .first = k == 0,
                 .last = k + depth == p.depth};
        if (p.panels) {
          s.panels = p.panels + ((panel - p.first_panel) * p.depth + k) * kTileCols;
          s.panel_stride = p.depth * kTileCols;
          if (k + depth < chunk_end) {
            s.next = s.panels + depth * kTileCols;
          } else if (panel + n < block.panel_end) {
            s.next = s.panels + (chunk_begin - k + n * p.depth) * kTileCols;
          }
        } else {
          for (Dim i = 0; i < n; ++i) {
            PackPanel(p.b, p.options.transpose_b, (panel + i) * kTileCols, k, k + depth,
                      scratch + i * s.panel_stride);
          }
        }
        body(n, s);
        k += depth;
      } while (k < chunk_end);
    }
    chunk_begin = chunk_end;
  } while (chunk_begin < p.depth);
}

/// The part of c in `block`.
template <Multiplier kBy>
void MultiplyBlock(const Product& p, const Block& block, float* scratch) {
  ForEachStripe(p, block, PanelsAtOnce(p.c.rows), scratch, [&](Dim panels, const Stripe& s) {
    TilesOf<kBy>(panels, p, s, block.tile_begin, block.tile_end);
  });
}

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
