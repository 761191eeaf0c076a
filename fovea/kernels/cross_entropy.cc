#include "fovea/kernels/cross_entropy.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/threads.h"
#include "fovea/kernels/cross_entropy_plain.h"
#include "fovea/kernels/grain.h"
#include "fovea/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/kernels/cross_entropy.cc"
#include "hwy/foreach_target.h"
// After foreach_target:
#include "fovea/kernels/math-inl.h"
#include "fovea/kernels/rows-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {

/// Sum of exp(x - shift).
float SumExp(const float* x, float shift, Dim count) {
  const RowVec s = hn::Set(RowTag(), shift);
  return SumLanes(
      SumVectors(count, [x, s](auto lanes, Dim i) { return Exp(hn::Sub(lanes.Load(x + i), s)); }));
}

float SumRow(const float* x, Dim count) {
  return SumLanes(SumVectors(count, [x](auto lanes, Dim i) { return lanes.Load(x + i); }));
}

float CrossEntropyRow(float* x, Dim count, std::int32_t target, float smoothing,
                      const float* weight) {
  const RowTag f;
  const float top = MaxRow(x, count), spread = smoothing / static_cast<float>(count);
  const float wanted = x[target] - top;
  // Of x - top, not x: large logits would cancel against logsumexp.
  const RowVec shift = hn::Set(f, top);
  const float all = smoothing == 0 ? 0 : SumLanes(SumVectors(count, [x, shift](auto lanes, Dim i) {
    return hn::Sub(lanes.Load(x + i), shift);
  }));
  float sum = 0;
  if (weight) {  // keeps the exponentials for the gradient
    sum = SumLanes(SumVectors(count, [x, shift](auto lanes, Dim i) {
      const RowVec e = Exp(hn::Sub(lanes.Load(x + i), shift));
      lanes.Store(e, x + i);
      return e;
    }));
    const RowVec scale = hn::Set(f, *weight / sum), less = hn::Set(f, *weight * spread);
    MapRow(x, x, count, [scale, less](RowVec e) { return hn::MulSub(e, scale, less); });
    x[target] -= *weight * (1 - smoothing);
  } else {
    sum = SumExp(x, top, count);
  }
  return std::log(sum) - (1 - smoothing) * wanted - spread * all;
}

void LogSoftmaxRow(const float* x, float* y, Dim count) {
  const float top = MaxRow(x, count);
  const RowVec total = hn::Set(RowTag(), top + std::log(SumExp(x, top, count)));
  MapRow(x, y, count, [total](RowVec v) { return hn::Sub(v, total); });
}

void LogSoftmaxBackwardRow(const float* y, const float* dy, float* dx, Dim count) {
  const RowVec sum = hn::Set(RowTag(), SumRow(dy, count));
  MapRows(y, dy, dx, count, [sum](RowVec v, RowVec d) { return hn::NegMulAdd(Exp(v), sum, d); });
}

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::kernels {

HWY_EXPORT(CrossEntropyRow);
HWY_EXPORT(LogSoftmaxRow);
HWY_EXPORT(LogSoftmaxBackwardRow);

void cross_entropy(Rows<float> logits, const std::int32_t* targets, float smoothing, float* losses,
                   const float* weights) {
  const auto row = HWY_DYNAMIC_DISPATCH(CrossEntropyRow);
  parallel_for(logits.rows, row_grain(logits.cols), [&](Dim begin, Dim end) {
    for (Dim r = begin; r < end; ++r) {
      if (targets[r] >= 0) {
        losses[r] =
            row(logits[r], logits.cols, targets[r], smoothing, weights ? weights + r : nullptr);
      } else {
        losses[r] = 0;
        if (weights) std::fill_n(logits[r], logits.cols, 0.0F);
      }
    }
  });
}

void log_softmax(Rows<const float> x, Rows<float> y) {
  const auto row = HWY_DYNAMIC_DISPATCH(LogSoftmaxRow);
  parallel_for(x.rows, row_grain(x.cols), [&](Dim begin, Dim end) {
    for (Dim r = begin; r < end; ++r) row(x[r], y[r], x.cols);
  });
}

void log_softmax_backward(Rows<const float> y, Rows<const float> dy, Rows<float> dx) {
  const auto row = HWY_DYNAMIC_DISPATCH(LogSoftmaxBackwardRow);
  parallel_for(y.rows, row_grain(y.cols), [&](Dim begin, Dim end) {
    for (Dim r = begin; r < end; ++r) row(y[r], dy[r], dx[r], y.cols);
  });
}

void cross_entropy(Rows<double> logits, const std::int32_t* targets, double smoothing,
                   double* losses, const double* weights) {
  plain::cross_entropy(logits, targets, smoothing, losses, weights);
}
void log_softmax(Rows<const double> x, Rows<double> y) { plain::log_softmax(x, y); }
void log_softmax_backward(Rows<const double> y, Rows<const double> dy, Rows<double> dx) {
  plain::log_softmax_backward(y, dy, dx);
}

}  // namespace fovea::kernels
#endif
