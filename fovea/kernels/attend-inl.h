// What attention's forward and backward have in common: blocks of rows against blocks of keys.
//
// Blocks of keys begin at multiples of kKeyBlock, every sum over keys runs in rising order within a
// block and then over blocks, and what is out of reach adds exact zeros. So a row's bits depend
// only on the row and on its keys: not on the rows beside it, nor on whether it comes alone with a
// cache. (Of finite values: zero times one that is not reaches the rows of its tile.)
#if defined(FOVEA_KERNELS_ATTEND_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FOVEA_KERNELS_ATTEND_INL_H_
#undef FOVEA_KERNELS_ATTEND_INL_H_
#else
#define FOVEA_KERNELS_ATTEND_INL_H_
#endif

#include <algorithm>
#include <limits>

#include "fovea/kernels/attend_tasks.h"
#include "fovea/kernels/math-inl.h"
#include "fovea/kernels/pack-inl.h"
#include "fovea/kernels/philox-inl.h"
#include "fovea/kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {

constexpr Dim kBlockRows = 96;  // rows of queries; a multiple of kTileRows
constexpr Dim kKeyBlock = 384;  // keys; a multiple of kTileCols
constexpr Dim kBlockTiles = kBlockRows / kTileRows;
static_assert(kBlockRows % kTileRows == 0 && kKeyBlock % kTileCols == 0);
constexpr float kLowest = -std::numeric_limits<float>::infinity();

constexpr Dim RoundUp(Dim x, Dim multiple) { return (x + multiple - 1) / multiple * multiple; }

/// e^x for x <= 0 or little above: exactly 0 below -87, where floats run out.
HWY_INLINE RowVec ExpOfWeight(RowVec x) {
  const RowTag f;
  const ExpParts parts = SplitExp(x);
  const RowVec power = PowerOfTwo(parts.n);
  return hn::IfThenZeroElse(hn::Lt(x, hn::Set(f, -87.0F)), hn::MulAdd(parts.expm1, power, power));
}

/// Up to kBlockRows rows that share their keys.
struct RowBlock {
  Dim count;
  Dim head[kBlockRows], query[kBlockRows], position[kBlockRows];
  Reach reach[kBlockRows];
  Reach all;  // from the first key that any row reaches to the last

  RowBlock(const SharedKeys<float>& keys, const AttendOptions<float>& o, Dim begin, Dim end)
      : count(end - begin), all{keys.sequence.keys, 0} {
    for (Dim r = 0; r < count; ++r) {
      head[r] = keys.head(begin + r);
      query[r] = keys.query(begin + r);
      position[r] = keys.sequence.position(query[r]);
      reach[r] = reach_of(o, position[r], keys.sequence.keys);
      Include(all, reach[r]);
    }
  }

  static void Include(Reach& sum, const Reach& one) {
    if (one.begin >= one.end) return;
    sum.begin = std::min(sum.begin, one.begin);
    sum.end = std::max(sum.end, one.end);
  }
};

/// A block of rows against keys [begin, end): which columns, counted from `begin`, matter to whom.
struct KeyBlock {
  Dim begin, end;
  Reach tile[kBlockTiles];  // columns that some row of a tile of rows reaches, in whole panels

  KeyBlock(const RowBlock& rows, Dim first, Dim last) : begin(first), end(last) {
    for (Dim t = 0; t * kTileRows < rows.count; ++t) {
      Reach sum{end, begin};
      const Dim row_end = std::min(rows.count, (t + 1) * kTileRows);
      for (Dim r = t * kTileRows; r < row_end; ++r) RowBlock::Include(sum, Within(rows.reach[r]));
      tile[t] = {(sum.begin - begin) / kTileCols * kTileCols, RoundUp(sum.end - begin, kTileCols)};
      if (sum.begin >= sum.end) tile[t] = {0, 0};
    }
  }

  Reach Within(const Reach& reach) const {
    return {std::max(reach.begin, begin), std::min(reach.end, end)};
  }
  /// The columns that row r of `rows` reaches, within those of its tile.
  Reach Columns(const RowBlock& rows, Dim r) const {
    const Reach own = Within(rows.reach[r]), all = tile[r / kTileRows];
    if (own.begin >= own.end) return {all.begin, all.begin};
    return {own.begin - begin, own.end - begin};
  }
};

template <Dim kRows, Dim kRow, Dim kStep, bool kAdd>
HWY_INLINE void TileProduct(const float* a, Dim row, const float* panel, Dim depth, float* c,
                            Dim c_row) {
  const Floats f;
  FloatVec sums[kRows][kTileVectors];
  TileSums<kRows, kRow, kStep>(a, row, panel, depth, sums);
  for (Dim i = 0; i < kRows; ++i) {
    for (Dim v = 0; v < kTileVectors; ++v) {
      float* to = c + i * c_row + v * kLanes;
      hn::StoreU(kAdd ? hn::Add(hn::LoadU(f, to), sums[i][v]) : sums[i][v], f, to);
    }
  }
}

/// c (rows, kTileCols) = or += a panel, for at most kMost rows.
template <Dim kRow, Dim kStep, bool kAdd, Dim kMost = kTileRows>
HWY_INLINE void TileProductOf(Dim rows, const float* a, Dim row, const float* panel, Dim depth,
                              float* c, Dim c_row) {
  if (rows >= kMost) {
    TileProduct<kMost, kRow, kStep, kAdd>(a, row, panel, depth, c, c_row);
  } else if constexpr (kMost > 1) {
    TileProductOf<kRow, kStep, kAdd, kMost - 1>(rows, a, row, panel, depth, c, c_row);
  }
}

/// c (rows, keys of the block) = a (rows, depth) times the panels of transposed keys or values.
inline void MultiplyByKeys(const RowBlock& rows, const KeyBlock& keys, const float* a, Dim depth,
                           const float* panels, float* c, Dim c_row) {
  for (Dim column = 0; column < keys.end - keys.begin; column += kTileCols) {
    for (Dim t = 0; t * kTileRows < rows.count; ++t) {
      if (column < keys.tile[t].begin || column >= keys.tile[t].end) continue;
      const Dim r = t * kTileRows;
      TileProductOf<0, 1, false>(rows.count - r, a + r * depth, depth, panels + column * depth,
                                 depth, c + r * c_row + column, c_row);
    }
  }
}

/// c (rows, cols) += w (rows, keys of the block) times the panels of keys or values as they stand,
/// each of them `panel_size` floats.
inline void AddTimesKeys(const RowBlock& rows, const KeyBlock& keys, const float* w, Dim w_row,
                         const float* panels, Dim panel_size, Dim cols, float* c) {
  for (Dim column = 0; column < cols; column += kTileCols, panels += panel_size) {
    for (Dim t = 0; t * kTileRows < rows.count; ++t) {
      const Dim r = t * kTileRows, begin = keys.tile[t].begin;
      const Dim depth = std::min(keys.tile[t].end, keys.end - keys.begin) - begin;
      if (depth <= 0) continue;
      TileProductOf<0, 1, true>(rows.count - r, w + r * w_row + begin, w_row,
                                panels + begin * kTileCols, depth, c + r * cols + column, cols);
    }
  }
}

/// c (rows, cols) += w (rows, keys of the block) times v, the rows of the block's values where they
/// stand: for few rows packing costs more than it brings. Sums have the order of AddTimesKeys.
inline void AddTimesValues(const RowBlock& rows, const KeyBlock& keys, const float* w, Dim w_row,
                           Rows<const float> v, Dim c_row, float* c) {
  constexpr Dim kVectors = 8;
  const Floats f;
  for (Dim r = 0; r < rows.count; ++r, w += w_row, c += c_row) {
    const Reach columns = keys.Columns(rows, r);
    Dim col = 0;
    for (; col + kVectors * kLanes <= v.cols; col += kVectors * kLanes) {
      FloatVec sums[kVectors];
      for (FloatVec& sum : sums) sum = hn::Zero(f);
      for (Dim j = columns.begin; j < columns.end; ++j) {
        const FloatVec wj = hn::Set(f, w[j]);
        for (Dim n = 0; n < kVectors; ++n) {
          sums[n] = hn::MulAdd(wj, hn::LoadU(f, v[j] + col + n * kLanes), sums[n]);
        }
      }
      for (Dim n = 0; n < kVectors; ++n) {
        float* to = c + col + n * kLanes;
        hn::StoreU(hn::Add(hn::LoadU(f, to), sums[n]), f, to);
      }
    }
    ForEachVector(v.cols - col, [&](auto lanes, Dim i) {
      FloatVec sum = hn::Zero(f);
      for (Dim j = columns.begin; j < columns.end; ++j) {
        sum = hn::MulAdd(hn::Set(f, w[j]), lanes.Load(v[j] + col + i), sum);
      }
      lanes.Store(hn::Add(lanes.Load(c + col + i), sum), c + col + i);
    });
  }
}

/// The columns of row r of the block in a matrix with a row for each query, `cols` for each head.
template <class T>
HWY_INLINE T* RowOf(Rows<T> all, const SharedKeys<float>& keys, const RowBlock& rows, Dim r,
                    Dim cols) {
  return all[keys.sequence.first_query + rows.query[r]] + rows.head[r] * cols;
}

/// The columns of a row that are near enough to the query to have a distance of their own: [begin,
/// end), column j that of index j - first. Those before share the first, those after the last.
struct NearColumns {
  Dim first, begin, end;

  NearColumns(Dim distances, Dim position, Reach columns)
      : first(position - distances / 2),
        begin(std::clamp(first, columns.begin, columns.end)),
        end(std::clamp(first + distances, begin, columns.end)) {}
};

/// s[j] += the number that the distance of column j has, for a row whose query stands at column
/// `position`.
inline void AddByDistance(const float* numbers, Dim distances, Dim position, Reach columns,
                          float* s) {
  const RowTag f;
  const NearColumns near(distances, position, columns);
  const RowVec before = hn::Set(f, numbers[0]), after = hn::Set(f, numbers[distances - 1]);
  MapRow(s + columns.begin, s + columns.begin, near.begin - columns.begin,
         [before](RowVec x) { return hn::Add(x, before); });
  MapRows(s + near.begin, numbers + (near.begin - near.first), s + near.begin,
          near.end - near.begin, [](RowVec x, RowVec y) { return hn::Add(x, y); });
  MapRow(s + near.end, s + near.end, columns.end - near.end,
         [after](RowVec x) { return hn::Add(x, after); });
}

/// The other way round: each x[j] is added to the sum of its distance.
inline void SumByDistance(const float* x, Dim distances, Dim position, Reach columns, float* sums) {
  const NearColumns near(distances, position, columns);
  const auto sum = [x](Dim begin, Dim end) {
    return SumLanes(SumVectors(
        end - begin, [x, begin](auto lanes, Dim j) { return lanes.Load(x + begin + j); }));
  };
  if (columns.begin < near.begin) sums[0] += sum(columns.begin, near.begin);
  if (near.end < columns.end) sums[distances - 1] += sum(near.end, columns.end);
  float* to = sums + near.begin - near.first;
  MapRows(x + near.begin, to, to, near.end - near.begin,
          [](RowVec y, RowVec z) { return hn::Add(y, z); });
}

/// The random bits of one row of a block of keys.
class DropRow {
 public:
  DropRow(const AttendOptions<float>& o) : draws_(o.draws), drop_(o.drop) {}

  bool Any() const { return drop_.limit > 0; }

  /// For columns counted from key `first`, a multiple of 8.
  void Draw(Dim sequence, Dim head, Dim query, Dim first, Reach columns) {
    constexpr Dim kStep = AttendDrop::kKeysPerBlock * kPhiloxBlocks;
    for (Dim j = columns.begin / kStep * kStep; j < columns.end; j += kStep) {
      PhiloxBlocks(draws_, AttendDrop::index(sequence, head, query, first + j),
                   reinterpret_cast<std::uint32_t*>(bits_ + j));
    }
  }
  /// Zero where column j and those after it are dropped, else the factor of what is kept.
  HWY_INLINE RowVec Kept(Dim j) const {
    const RowTag f;
    const hn::RebindToSigned<RowTag> i;
    const hn::Rebind<std::uint16_t, RowTag> half;
    const auto bits = hn::PromoteTo(i, hn::LoadU(half, bits_ + j));
    const auto kept = hn::Gt(bits, hn::Set(i, static_cast<std::int32_t>(drop_.limit) - 1));
    return hn::IfThenElseZero(hn::RebindMask(f, kept), hn::Set(f, drop_.keep));
  }

 private:
  Draws draws_;
  AttendDrop drop_;
  alignas(64) std::uint16_t bits_[kKeyBlock + AttendDrop::kKeysPerBlock * kPhiloxBlocks];
};

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
