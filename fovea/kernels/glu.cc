#include "fovea/kernels/glu.h"

#include "fovea/base/threads.h"
#include "fovea/kernels/glu_plain.h"
#include "fovea/kernels/grain.h"
#include "fovea/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/kernels/glu.cc"
#include "hwy/foreach_target.h"
// After foreach_target:
#include "fovea/kernels/math-inl.h"
#include "fovea/kernels/rows-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {

void GluRow(Glu kind, const float* x, float* y, Dim count) {
  const float *a = x, *b = x + count;
  if (kind == Glu::sigmoid) {
    MapRows(a, b, y, count, [](RowVec u, RowVec v) { return hn::Mul(u, Sigmoid(v)); });
  } else {
    MapRows(a, b, y, count, [](RowVec u, RowVec v) { return hn::Mul(hn::Mul(u, Sigmoid(u)), v); });
  }
}

void GluBackwardRow(Glu kind, const float* x, const float* dy, float* dx, Dim count) {
  const RowVec one = hn::Set(RowTag(), 1);
  ForEachVector(count, [=](auto lanes, Dim i) {
    const RowVec a = lanes.Load(x + i), b = lanes.Load(x + count + i), d = lanes.Load(dy + i);
    const RowVec s = Sigmoid(kind == Glu::sigmoid ? b : a);
    const RowVec ds = hn::Mul(d, s), rest = hn::Sub(one, s);
    RowVec da = ds, db = hn::Mul(ds, a);
    if (kind == Glu::sigmoid) {
      db = hn::Mul(db, rest);
    } else {
      da = hn::Mul(hn::Mul(ds, b), hn::MulAdd(a, rest, one));
    }
    lanes.Store(da, dx + i);
    lanes.Store(db, dx + count + i);
  });
}

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::kernels {

HWY_EXPORT(GluRow);
HWY_EXPORT(GluBackwardRow);

void glu(Glu kind, Rows<const float> x, Rows<float> y) {
  const auto row = HWY_DYNAMIC_DISPATCH(GluRow);
  parallel_for(y.rows, row_grain(y.cols), [&](Dim begin, Dim end) {
    for (Dim r = begin; r < end; ++r) row(kind, x[r], y[r], y.cols);
  });
}

void glu_backward(Glu kind, Rows<const float> x, Rows<const float> dy, Rows<float> dx) {
  const auto row = HWY_DYNAMIC_DISPATCH(GluBackwardRow);
  parallel_for(dy.rows, row_grain(dy.cols), [&](Dim begin, Dim end) {
    for (Dim r = begin; r < end; ++r) row(kind, x[r], dy[r], dx[r], dy.cols);
  });
}

void glu(Glu kind, Rows<const double> x, Rows<double> y) { plain::glu(kind, x, y); }
void glu_backward(Glu kind, Rows<const double> x, Rows<const double> dy, Rows<double> dx) {
  plain::glu_backward(kind, x, dy, dx);
}

}  // namespace fovea::kernels
#endif
