#include "fovea/kernels/softmax.h"

#include <algorithm>
#include <limits>

#include "fovea/base/threads.h"
#include "fovea/kernels/grain.h"
#include "fovea/kernels/softmax_plain.h"
#include "fovea/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/kernels/softmax.cc"
#include "hwy/foreach_target.h"
// After foreach_target:
#include "fovea/kernels/math-inl.h"
#include "fovea/kernels/rows-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {

void SoftmaxRow(const float* x, float* y, Dim count) {
  const RowTag f;
  const float top = MaxRow(x, count);
  if (top == -std::numeric_limits<float>::infinity()) {  // nothing in reach, or NaN beside it
    float all = 0;
    for (Dim i = 0; i < count; ++i) all += x[i] == top ? 0 : x[i];
    std::fill_n(y, count, all);
    return;
  }
  const RowVec shift = hn::Set(f, top);
  const RowVec sums = SumVectors(count, [=](auto lanes, Dim i) {
    const RowVec e = Exp(hn::Sub(lanes.Load(x + i), shift));
    lanes.Store(e, y + i);
    return e;
  });
  const RowVec scale = hn::Set(f, 1 / SumLanes(sums));
  MapRow(y, y, count, [scale](RowVec v) { return hn::Mul(v, scale); });
}

void SoftmaxBackwardRow(const float* y, const float* dy, float* dx, Dim count) {
  const RowTag f;
  const RowVec sums = SumVectors(
      count, [=](auto lanes, Dim i) { return hn::Mul(lanes.Load(y + i), lanes.Load(dy + i)); });
  const RowVec dot = hn::Set(f, SumLanes(sums));
  MapRows(y, dy, dx, count, [dot](RowVec a, RowVec b) { return hn::Mul(a, hn::Sub(b, dot)); });
}

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::kernels {

HWY_EXPORT(SoftmaxRow);
HWY_EXPORT(SoftmaxBackwardRow);

void softmax(Rows<const float> x, Rows<float> y) {
  const auto row = HWY_DYNAMIC_DISPATCH(SoftmaxRow);
  parallel_for(x.rows, row_grain(x.cols), [&](Dim begin, Dim end) {
    for (Dim r = begin; r < end; ++r) row(x[r], y[r], x.cols);
  });
}

void softmax_backward(Rows<const float> y, Rows<const float> dy, Rows<float> dx) {
  const auto row = HWY_DYNAMIC_DISPATCH(SoftmaxBackwardRow);
  parallel_for(y.rows, row_grain(y.cols), [&](Dim begin, Dim end) {
    for (Dim r = begin; r < end; ++r) row(y[r], dy[r], dx[r], y.cols);
  });
}

void softmax(Rows<const double> x, Rows<double> y) { plain::softmax(x, y); }
void softmax_backward(Rows<const double> y, Rows<const double> dy, Rows<double> dx) {
  plain::softmax_backward(y, dy, dx);
}

}  // namespace fovea::kernels
#endif
