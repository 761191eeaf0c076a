#include "fovea/kernels/indexed_rows.h"

#include <algorithm>

#include "fovea/base/threads.h"
#include "fovea/kernels/grain.h"
#include "fovea/kernels/indexed_rows_plain.h"
#include "fovea/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/kernels/indexed_rows.cc"
#include "hwy/foreach_target.h"
// After foreach_target:
#include "fovea/kernels/rows-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {

void AddRow(const float* x, float* sum, Dim count) {
  MapRows(sum, x, sum, count, [](RowVec s, RowVec v) { return hn::Add(s, v); });
}

void ScaleRow(const float* x, float scale, float* y, Dim count) {
  const RowVec s = hn::Set(RowTag(), scale);
  MapRow(x, y, count, [s](RowVec v) { return hn::Mul(v, s); });
}

/// Where x > y: y = x and where = row.
void MaxRowInto(const float* x, std::int32_t row, float* y, std::int32_t* where, Dim count) {
  const RowTag f;
  const hn::RebindToSigned<RowTag> ints;
  const auto here = hn::Set(ints, row);
  Dim i = 0;
  for (; i + kRowLanes <= count; i += kRowLanes) {
    const RowVec v = hn::LoadU(f, x + i), best = hn::LoadU(f, y + i);
    const auto more = hn::Gt(v, best);
    hn::StoreU(hn::IfThenElse(more, v, best), f, y + i);
    const auto before = hn::LoadU(ints, where + i);
    hn::StoreU(hn::IfThenElse(hn::RebindMask(ints, more), here, before), ints, where + i);
  }
  for (; i < count; ++i) {
    if (x[i] > y[i]) y[i] = x[i], where[i] = row;
  }
}

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::kernels {

HWY_EXPORT(AddRow);
HWY_EXPORT(ScaleRow);
HWY_EXPORT(MaxRowInto);

void gather_rows(Rows<const float> table, const std::int32_t* index, Rows<float> y) {
  parallel_for(y.rows, row_grain(y.cols), [&](Dim begin, Dim end) {
    plain::gather_rows(table, index + begin, y.range(begin, end));
  });
}

void scatter_add_rows(Rows<const float> x, const std::int32_t* index, Rows<float> table) {
  const auto add = HWY_DYNAMIC_DISPATCH(AddRow);
  // Threads share the columns, not the rows: each adds all of its numbers in order. In strips of a
  // cache line or two, so that they do not write to the same one.
  constexpr Dim kStrip = 32;
  const Dim strips = (x.cols + kStrip - 1) / kStrip;
  parallel_for(strips, row_grain(x.rows * kStrip), [&](Dim first, Dim last) {
    const Dim begin = first * kStrip, end = std::min(x.cols, last * kStrip);
    for (Dim i = 0; i < x.rows; ++i) add(x[i] + begin, table[index[i]] + begin, end - begin);
  });
}

namespace {

/// body(s, begin, end) for each segment, those of a thread together holding enough rows.
template <class Body>
void for_each_segment(Dim count, std::span<const Dim> offsets, Dim cols, Body&& body) {
  const Dim rows = count > 0 ? offsets[static_cast<std::size_t>(count)] - offsets[0] : 0;
  const Dim cols_a_segment = count > 0 ? cols * (rows / count + 1) : cols;
  parallel_for(count, row_grain(cols_a_segment), [&](Dim first, Dim last) {
    for (Dim s = first; s < last; ++s) {
      body(s, offsets[static_cast<std::size_t>(s)], offsets[static_cast<std::size_t>(s) + 1]);
    }
  });
}

}  // namespace

void pool_segments(Pool pool, Rows<const float> x, std::span<const Dim> offsets, Rows<float> y,
                   Rows<std::int32_t> where) {
  const auto add = HWY_DYNAMIC_DISPATCH(AddRow);
  const auto scale = HWY_DYNAMIC_DISPATCH(ScaleRow);
  const auto larger = HWY_DYNAMIC_DISPATCH(MaxRowInto);
  for_each_segment(y.rows, offsets, y.cols, [&](Dim s, Dim begin, Dim end) {
    const bool max = pool == Pool::max;
    if (max) std::fill_n(where[s], y.cols, begin < end ? static_cast<std::int32_t>(begin) : -1);
    if (begin == end) {
      std::fill_n(y[s], y.cols, 0.0F);
      return;
    }
    std::copy_n(x[begin], y.cols, y[s]);
    for (Dim r = begin + 1; r < end; ++r) {
      if (max) {
        larger(x[r], static_cast<std::int32_t>(r), y[s], where[s], y.cols);
      } else {
        add(x[r], y[s], y.cols);
      }
    }
    if (pool == Pool::mean) scale(y[s], 1 / static_cast<float>(end - begin), y[s], y.cols);
  });
}

void pool_segments_backward(Pool pool, Rows<const float> dy, std::span<const Dim> offsets,
                            Rows<const std::int32_t> where, Rows<float> dx) {
  const auto scale = HWY_DYNAMIC_DISPATCH(ScaleRow);
  for_each_segment(dy.rows, offsets, dy.cols, [&](Dim s, Dim begin, Dim end) {
    const float share = pool == Pool::mean ? 1 / static_cast<float>(end - begin) : 1;
    for (Dim r = begin; r < end; ++r) {
      if (pool == Pool::max) {
        std::fill_n(dx[r], dy.cols, 0.0F);
      } else {
        scale(dy[s], share, dx[r], dy.cols);
      }
    }
    for (Dim c = 0; c < dy.cols && pool == Pool::max && begin < end; ++c) {
      dx[where[s][c]][c] = dy[s][c];
    }
  });
}

void gather_rows(Rows<const double> table, const std::int32_t* index, Rows<double> y) {
  plain::gather_rows(table, index, y);
}
void scatter_add_rows(Rows<const double> x, const std::int32_t* index, Rows<double> table) {
  plain::scatter_add_rows(x, index, table);
}
void pool_segments(Pool pool, Rows<const double> x, std::span<const Dim> offsets, Rows<double> y,
                   Rows<std::int32_t> where) {
  plain::pool_segments(pool, x, offsets, y, where);
}
void pool_segments_backward(Pool pool, Rows<const double> dy, std::span<const Dim> offsets,
                            Rows<const std::int32_t> where, Rows<double> dx) {
  plain::pool_segments_backward(pool, dy, offsets, where, dx);
}

}  // namespace fovea::kernels
#endif
