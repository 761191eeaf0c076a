// Blocks of a product of bfloat16 by AMX, which multiplies matrices of 16 rows at a time: a tile
// holds 16 rows of 16 twins (bfloat-inl.h). Operands are the twins that other CPUs read as well,
// their depth filled up with zeros to whole tiles.
#if defined(FOVEA_KERNELS_AMX_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FOVEA_KERNELS_AMX_INL_H_
#undef FOVEA_KERNELS_AMX_INL_H_
#else
#define FOVEA_KERNELS_AMX_INL_H_
#endif

#include <algorithm>
#include <cstdint>

#include "fovea/kernels/gemm-inl.h"
#include "fovea/kernels/pack-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {
#if FOVEA_HAS_BFLOAT

constexpr Dim kAmx = 16;  // rows of a tile, and twins or sums in each of them
static_assert(kTileCols == 3 * kAmx && kDepth % kAmx == 0);

// As instructions, since neither Highway 1.0 nor all compilers know them: they run only where
// can_multiply_amx() says that they can.

/// All eight tiles of this thread are 16 rows of 64 bytes while it lives.
class AmxTiles {
 public:
  AmxTiles() {
    Layout layout;
    std::fill_n(layout.row_bytes, 8, std::uint16_t{64});
    std::fill_n(layout.rows, 8, std::uint8_t{kAmx});
    asm volatile("ldtilecfg %0" ::"m"(layout));
  }
  ~AmxTiles() { asm volatile("tilerelease" ::); }
  AmxTiles(const AmxTiles&) = delete;
  AmxTiles& operator=(const AmxTiles&) = delete;

 private:
  struct Layout {  // as the instruction reads it
    std::uint8_t palette = 1;
    std::uint8_t reserved[15] = {};
    std::uint16_t row_bytes[16] = {};
    std::uint8_t rows[16] = {};
  };
  static_assert(sizeof(Layout) == 64);
};

template <int kTile>
HWY_INLINE void AmxZero() {
  asm volatile("tilezero %%tmm%c0" ::"i"(kTile));
}
template <int kTile>
HWY_INLINE void AmxLoad(const float* from, Dim stride) {
  asm volatile("tileloadd (%0,%1,1), %%tmm%c2" ::"r"(from), "r"(stride * sizeof(float)), "i"(kTile)
               : "memory");
}
template <int kTile>
HWY_INLINE void AmxStore(float* to, Dim stride) {
  asm volatile("tilestored %%tmm%c2, (%0,%1,1)" ::"r"(to), "r"(stride * sizeof(float)), "i"(kTile)
               : "memory");
}
/// sum(i, j) += a(i, k) b(k, j) over the twins k.
template <int kSum, int kA, int kB>
HWY_INLINE void AmxMultiply() {
  asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(kSum), "i"(kA), "i"(kB));
}

/// 16 rows of a against one panel.
HWY_INLINE void AmxSums(const Product& p, const Stripe& s, Dim row, float* sums) {
  AmxZero<0>(), AmxZero<1>(), AmxZero<2>();
  const float* a = p.a[row] + s.k;
  const float* b = s.panels;
  for (Dim k = 0; k < s.depth; k += kAmx, a += kAmx, b += kAmx * kTileCols) {
    AmxLoad<6>(a, p.a.stride);
    AmxLoad<7>(b, kTileCols), AmxMultiply<0, 6, 7>();
    AmxLoad<5>(b + kAmx, kTileCols), AmxMultiply<1, 6, 5>();
    AmxLoad<4>(b + 2 * kAmx, kTileCols), AmxMultiply<2, 6, 4>();
  }
  AmxStore<0>(sums, kTileCols), AmxStore<1>(sums + kAmx, kTileCols);
  AmxStore<2>(sums + 2 * kAmx, kTileCols);
}

/// Twice 16 rows: six tiles of sums leave one for each operand, and neighbours share what is there.
HWY_INLINE void AmxSumsOfTwo(const Product& p, const Stripe& s, Dim row, Dim second, float* sums) {
  AmxZero<0>(), AmxZero<1>(), AmxZero<2>(), AmxZero<3>(), AmxZero<4>(), AmxZero<5>();
  const float* a0 = p.a[row] + s.k;
  const float* a1 = p.a[second] + s.k;
  const float* b = s.panels;
  for (Dim k = 0; k < s.depth; k += kAmx, b += kAmx * kTileCols) {
    AmxLoad<6>(a0 + k, p.a.stride);
    AmxLoad<7>(b, kTileCols), AmxMultiply<0, 6, 7>();
    AmxLoad<6>(a1 + k, p.a.stride), AmxMultiply<3, 6, 7>();
    AmxLoad<7>(b + kAmx, kTileCols), AmxMultiply<4, 6, 7>();
    AmxLoad<6>(a0 + k, p.a.stride), AmxMultiply<1, 6, 7>();
    AmxLoad<7>(b + 2 * kAmx, kTileCols), AmxMultiply<2, 6, 7>();
    AmxLoad<6>(a1 + k, p.a.stride), AmxMultiply<5, 6, 7>();
  }
  float* next = sums + kAmx * kTileCols;
  AmxStore<0>(sums, kTileCols), AmxStore<1>(sums + kAmx, kTileCols);
  AmxStore<2>(sums + 2 * kAmx, kTileCols), AmxStore<3>(next, kTileCols);
  AmxStore<4>(next + kAmx, kTileCols), AmxStore<5>(next + 2 * kAmx, kTileCols);
}

template <bool kWhole>
HWY_INLINE void AmxFinish(const Product& p, const Stripe& s, Dim begin, Dim end,
                          const float* from) {
  for (Dim row = begin; row < end; ++row, from += kTileCols) {
    FloatVec sums[1][kTileVectors];
    for (Dim v = 0; v < kTileVectors; ++v) sums[0][v] = hn::Load(Floats(), from + v * kLanes);
    Finish<kWhole>(p, s, sums, row);
  }
}

/// All rows of tiles [begin, end) of a stripe.
HWY_NOINLINE void AmxStripe(const Product& p, const Stripe& s, Dim begin, Dim end) {
  alignas(64) float sums[2 * kAmx * kTileCols];
  const auto row = [&](Dim tile) { return ShareBegin(p.c.rows, p.tile_count, tile); };
  const auto finish = [&](Dim tile, const float* from) {
    const auto kind = p.c.cols - s.col >= kTileCols ? AmxFinish<true> : AmxFinish<false>;
    kind(p, s, row(tile), row(tile + 1), from);
  };
  Dim t = begin;
  for (; t + 2 <= end; t += 2) {
    PrefetchNext(s, t - begin, end - begin);
    PrefetchNext(s, t + 1 - begin, end - begin);
    AmxSumsOfTwo(p, s, row(t), row(t + 1), sums);
    finish(t, sums);
    finish(t + 1, sums + kAmx * kTileCols);
  }
  if (t < end) {
    PrefetchNext(s, t - begin, end - begin);
    AmxSums(p, s, row(t), sums);
    finish(t, sums);
  }
}

/// The part of c in `block`.
void AmxMultiplyBlock(const Product& p, const Block& block, float* scratch) {
  const AmxTiles tiles;
  ForEachStripe(p, block, /*at_once=*/1, scratch,
                [&](Dim, const Stripe& s) { AmxStripe(p, s, block.tile_begin, block.tile_end); });
}

/// Columns [begin, end) of x, whose depth runs down its rows, as rows of twins.
inline void TwinsTurned(Rows<const float> x, Dim begin, Dim end, Rows<float> twins) {
  alignas(64) float block[kAmx * kAmx];
  const float* rows[kAmx];
  for (Dim i = 0; i < kAmx; ++i) rows[i] = block + i * kAmx;
  for (Dim c = begin; c < end; c += kAmx) {
    const Rows<const float> columns = x.columns(c, std::min(c + kAmx, end));
    for (Dim k = 0; k < twins.cols; k += kAmx) {
      const Dim depth = std::clamp<Dim>(x.rows - 2 * k, 0, 2 * kAmx);
      TwinsDownRows(columns.range(2 * k, 2 * k + depth), 0, kAmx, rows_of(block, kAmx, kAmx));
      Dim i = 0;
      for (; i + 4 <= columns.cols; i += 4) {
        TransposeFour(rows, i, twins[c + i] + k, twins.stride);
      }
      for (; i < columns.cols; ++i) {
        for (Dim j = 0; j < kAmx; ++j) twins[c + i][k + j] = rows[j][i];
      }
    }
  }
}

#endif
}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
