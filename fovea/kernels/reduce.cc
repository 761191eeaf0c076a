#include "fovea/kernels/reduce.h"

#include <algorithm>

#include "fovea/base/threads.h"
#include "fovea/kernels/grain.h"
#include "fovea/kernels/reduce_plain.h"
#include "fovea/kernels/row_blocks.h"
#include "fovea/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/kernels/reduce.cc"
#include "hwy/foreach_target.h"
// After foreach_target:
#include "fovea/kernels/rows-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {

float SumRange(const float* x, Dim count) {
  return SumLanes(SumVectors(count, [x](auto lanes, Dim i) { return lanes.Load(x + i); }));
}

float DotRange(const float* x, const float* y, Dim count) {
  return SumLanes(SumVectors(
      count, [=](auto lanes, Dim i) { return hn::Mul(lanes.Load(x + i), lanes.Load(y + i)); }));
}

/// sums += the rows of x, four at a time: a sum is read and written once for four numbers.
void AddRows(Rows<const float> x, float* sums) {
  Dim r = 0;
  for (; r + 4 <= x.rows; r += 4) {
    const float *a = x[r], *b = x[r + 1], *c = x[r + 2], *d = x[r + 3];
    ForEachVector(x.cols, [=](auto lanes, Dim i) {
      const RowVec first = hn::Add(lanes.Load(a + i), lanes.Load(b + i));
      const RowVec second = hn::Add(lanes.Load(c + i), lanes.Load(d + i));
      lanes.Store(hn::Add(lanes.Load(sums + i), hn::Add(first, second)), sums + i);
    });
  }
  for (; r < x.rows; ++r) {
    MapRows(sums, x[r], sums, x.cols, [](RowVec s, RowVec v) { return hn::Add(s, v); });
  }
}

/// The largest number of a row, NaN left out.
float LargestOf(const float* x, Dim count) {
  const RowTag f;
  const RowVec lowest = hn::Set(f, -std::numeric_limits<float>::infinity());
  RowVec best = lowest;
  Dim i = 0;
  for (; i + kRowLanes <= count; i += kRowLanes) {
    const RowVec v = hn::LoadU(f, x + i);
    best = hn::IfThenElse(hn::Gt(v, best), v, best);
  }
  float largest = MaxLanes(best);
  for (; i < count; ++i) largest = x[i] > largest ? x[i] : largest;
  return largest;
}

/// The first column that holds `wanted`, -1 if none does.
std::int32_t FirstOf(float wanted, const float* x, Dim count) {
  const RowTag f;
  const RowVec w = hn::Set(f, wanted);
  Dim i = 0;
  for (; i + kRowLanes <= count; i += kRowLanes) {
    const auto found = hn::FindFirstTrue(f, hn::Eq(hn::LoadU(f, x + i), w));
    if (found >= 0) return static_cast<std::int32_t>(i + found);
  }
  for (; i < count; ++i) {
    if (x[i] == wanted) return static_cast<std::int32_t>(i);
  }
  return -1;
}

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::kernels {

HWY_EXPORT(SumRange);
HWY_EXPORT(DotRange);
HWY_EXPORT(AddRows);
HWY_EXPORT(LargestOf);
HWY_EXPORT(FirstOf);

void column_sums(Rows<const float> x, float* sums) {
  const auto add = HWY_DYNAMIC_DISPATCH(AddRows);
  sum_over_row_blocks(x.rows, x.cols, x.cols, sums, [&](Dim begin, Dim end, float* partial) {
    add(x.range(begin, end), partial);
  });
}

void row_sums(Rows<const float> x, float* sums) {
  const auto range = HWY_DYNAMIC_DISPATCH(SumRange);
  parallel_for(x.rows, row_grain(x.cols), [&](Dim begin, Dim end) {
    for (Dim r = begin; r < end; ++r) sums[r] = range(x[r], x.cols);
  });
}

void row_max(Rows<const float> x, float* largest, std::int32_t* where) {
  const auto largest_of = HWY_DYNAMIC_DISPATCH(LargestOf);
  const auto first_of = HWY_DYNAMIC_DISPATCH(FirstOf);
  parallel_for(x.rows, row_grain(x.cols), [&](Dim begin, Dim end) {
    for (Dim r = begin; r < end; ++r) {
      largest[r] = largest_of(x[r], x.cols);
      if (where) where[r] = first_of(largest[r], x[r], x.cols);
    }
  });
}

namespace {

/// The sum of body(begin, length) over blocks of a fixed size.
template <class Body>
double sum_of_blocks(Dim count, Body&& body) {
  constexpr Dim kBlock = 16384;
  const Dim blocks = (count + kBlock - 1) / kBlock;
  if (blocks <= 1) return body(Dim(0), count);
  const Scratch<double> partials(blocks);
  parallel_for(blocks, 1, [&](Dim first, Dim last) {
    for (Dim b = first; b < last; ++b) {
      partials[b] = body(b * kBlock, std::min(kBlock, count - b * kBlock));
    }
  });
  return plain::sum(partials.data(), blocks);
}

}  // namespace

double sum(const float* x, Dim count) {
  const auto range = HWY_DYNAMIC_DISPATCH(SumRange);
  return sum_of_blocks(count, [&](Dim begin, Dim size) { return range(x + begin, size); });
}

double dot(const float* x, const float* y, Dim count) {
  const auto range = HWY_DYNAMIC_DISPATCH(DotRange);
  return sum_of_blocks(count,
                       [&](Dim begin, Dim size) { return range(x + begin, y + begin, size); });
}

double sum_of_squares(const float* x, Dim count) { return dot(x, x, count); }

void column_sums(Rows<const double> x, double* sums) { plain::column_sums(x, sums); }
void row_sums(Rows<const double> x, double* sums) { plain::row_sums(x, sums); }
void row_max(Rows<const double> x, double* largest, std::int32_t* where) {
  plain::row_max(x, largest, where);
}
double sum(const double* x, Dim count) { return plain::sum(x, count); }
double dot(const double* x, const double* y, Dim count) { return plain::dot(x, y, count); }
double sum_of_squares(const double* x, Dim count) { return plain::sum_of_squares(x, count); }

}  // namespace fovea::kernels
#endif
