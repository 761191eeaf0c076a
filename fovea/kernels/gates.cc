#include "fovea/kernels/gates.h"

#include "fovea/base/threads.h"
#include "fovea/kernels/gates_plain.h"
#include "fovea/kernels/grain.h"
#include "fovea/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/kernels/gates.cc"
#include "hwy/foreach_target.h"
// After foreach_target:
#include "fovea/kernels/math-inl.h"
#include "fovea/kernels/rows-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {

/// From y = sigmoid(x): y (1 - y). From y = tanh(x): 1 - y^2.
HWY_INLINE RowVec SigmoidSlope(RowVec y) { return hn::NegMulAdd(y, y, y); }
HWY_INLINE RowVec TanhSlope(RowVec y) { return hn::NegMulAdd(y, y, hn::Set(RowTag(), 1)); }

void LstmRow(float* gates, const float* c_prev, float* c, float* h, Dim H) {
  ForEachVector(H, [=](auto lanes, Dim k) {
    float* part = gates + k;
    const RowVec i = Sigmoid(lanes.Load(part)), f = Sigmoid(lanes.Load(part + H));
    const RowVec g = Tanh(lanes.Load(part + 2 * H)), o = Sigmoid(lanes.Load(part + 3 * H));
    const RowVec cell = hn::MulAdd(f, lanes.Load(c_prev + k), hn::Mul(i, g));
    lanes.Store(i, part);
    lanes.Store(f, part + H);
    lanes.Store(g, part + 2 * H);
    lanes.Store(o, part + 3 * H);
    lanes.Store(cell, c + k);
    lanes.Store(hn::Mul(o, Tanh(cell)), h + k);
  });
}

void LstmBackwardRow(const LstmBackward<float>& rows, Dim r) {
  const Dim H = rows.dh.cols;
  const float *gates = rows.gates[r], *c_prev = rows.c_prev[r], *c = rows.c[r], *dh = rows.dh[r];
  const float* dc = rows.dc.data ? rows.dc[r] : nullptr;
  float *dgates = rows.dgates[r], *dc_prev = rows.dc_prev[r];
  ForEachVector(H, [=](auto lanes, Dim k) {
    const float* part = gates + k;
    const RowVec i = lanes.Load(part), f = lanes.Load(part + H);
    const RowVec g = lanes.Load(part + 2 * H), o = lanes.Load(part + 3 * H);
    const RowVec t = Tanh(lanes.Load(c + k)), d = lanes.Load(dh + k);
    RowVec cell = hn::Mul(hn::Mul(d, o), TanhSlope(t));
    if (dc) cell = hn::Add(cell, lanes.Load(dc + k));
    const RowVec df = hn::Mul(hn::Mul(cell, lanes.Load(c_prev + k)), SigmoidSlope(f));
    lanes.Store(hn::Mul(hn::Mul(cell, g), SigmoidSlope(i)), dgates + k);
    lanes.Store(df, dgates + k + H);
    lanes.Store(hn::Mul(hn::Mul(cell, i), TanhSlope(g)), dgates + k + 2 * H);
    lanes.Store(hn::Mul(hn::Mul(d, t), SigmoidSlope(o)), dgates + k + 3 * H);
    lanes.Store(hn::Mul(cell, f), dc_prev + k);
  });
}

void GruRow(float* x_gates, const float* h_gates, const float* h_prev, float* h, Dim H) {
  ForEachVector(H, [=](auto lanes, Dim k) {
    float* x = x_gates + k;
    const float* u = h_gates + k;
    const RowVec r = Sigmoid(hn::Add(lanes.Load(x), lanes.Load(u)));
    const RowVec z = Sigmoid(hn::Add(lanes.Load(x + H), lanes.Load(u + H)));
    const RowVec n = Tanh(hn::MulAdd(r, lanes.Load(u + 2 * H), lanes.Load(x + 2 * H)));
    lanes.Store(r, x);
    lanes.Store(z, x + H);
    lanes.Store(n, x + 2 * H);
    lanes.Store(hn::MulAdd(z, hn::Sub(lanes.Load(h_prev + k), n), n), h + k);
  });
}

void GruBackwardRow(const GruBackward<float>& rows, Dim row) {
  const Dim H = rows.dh.cols;
  const float *gates = rows.gates[row], *h_gates = rows.h_gates[row], *h_prev = rows.h_prev[row];
  const float* dh = rows.dh[row];
  float *dx = rows.dx_gates[row], *du = rows.dh_gates[row], *dh_prev = rows.dh_prev[row];
  ForEachVector(H, [=](auto lanes, Dim k) {
    const RowVec r = lanes.Load(gates + k), z = lanes.Load(gates + k + H);
    const RowVec n = lanes.Load(gates + k + 2 * H), h_n = lanes.Load(h_gates + k + 2 * H);
    const RowVec d = lanes.Load(dh + k), before = lanes.Load(h_prev + k);
    const RowVec dn = hn::Mul(hn::NegMulAdd(d, z, d), TanhSlope(n));
    const RowVec dr = hn::Mul(hn::Mul(dn, h_n), SigmoidSlope(r));
    const RowVec dz = hn::Mul(hn::Mul(d, hn::Sub(before, n)), SigmoidSlope(z));
    lanes.Store(dr, dx + k);
    lanes.Store(dr, du + k);
    lanes.Store(dz, dx + k + H);
    lanes.Store(dz, du + k + H);
    lanes.Store(dn, dx + k + 2 * H);
    lanes.Store(hn::Mul(dn, r), du + k + 2 * H);
    lanes.Store(hn::Mul(d, z), dh_prev + k);
  });
}

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::kernels {

HWY_EXPORT(LstmRow);
HWY_EXPORT(LstmBackwardRow);
HWY_EXPORT(GruRow);
HWY_EXPORT(GruBackwardRow);

namespace {
// Of a row of H units: some eight numbers each.
Dim cell_grain(Dim units) { return row_grain(8 * units); }
}  // namespace

void lstm(Rows<float> gates, Rows<const float> c_prev, Rows<float> c, Rows<float> h) {
  const auto row = HWY_DYNAMIC_DISPATCH(LstmRow);
  parallel_for(h.rows, cell_grain(h.cols), [&](Dim begin, Dim end) {
    for (Dim r = begin; r < end; ++r) row(gates[r], c_prev[r], c[r], h[r], h.cols);
  });
}

void lstm_backward(const LstmBackward<float>& rows) {
  const auto row = HWY_DYNAMIC_DISPATCH(LstmBackwardRow);
  parallel_for(rows.dh.rows, cell_grain(rows.dh.cols), [&](Dim begin, Dim end) {
    for (Dim r = begin; r < end; ++r) row(rows, r);
  });
}

void gru(Rows<float> x_gates, Rows<const float> h_gates, Rows<const float> h_prev, Rows<float> h) {
  const auto row = HWY_DYNAMIC_DISPATCH(GruRow);
  parallel_for(h.rows, cell_grain(h.cols), [&](Dim begin, Dim end) {
    for (Dim r = begin; r < end; ++r) row(x_gates[r], h_gates[r], h_prev[r], h[r], h.cols);
  });
}

void gru_backward(const GruBackward<float>& rows) {
  const auto row = HWY_DYNAMIC_DISPATCH(GruBackwardRow);
  parallel_for(rows.dh.rows, cell_grain(rows.dh.cols), [&](Dim begin, Dim end) {
    for (Dim r = begin; r < end; ++r) row(rows, r);
  });
}

void lstm(Rows<double> gates, Rows<const double> c_prev, Rows<double> c, Rows<double> h) {
  plain::lstm(gates, c_prev, c, h);
}
void lstm_backward(const LstmBackward<double>& rows) { plain::lstm_backward(rows); }
void gru(Rows<double> x_gates, Rows<const double> h_gates, Rows<const double> h_prev,
         Rows<double> h) {
  plain::gru(x_gates, h_gates, h_prev, h);
}
void gru_backward(const GruBackward<double>& rows) { plain::gru_backward(rows); }

}  // namespace fovea::kernels
#endif
