#include "fovea/kernels/elementwise.h"

#include "fovea/base/threads.h"
#include "fovea/kernels/elementwise_plain.h"
#include "fovea/kernels/grain.h"
#include "fovea/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/kernels/elementwise.cc"
#include "hwy/foreach_target.h"
// After foreach_target:
#include "fovea/kernels/math-inl.h"
#include "fovea/kernels/rows-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {

HWY_INLINE RowVec Number(float x) { return hn::Set(RowTag(), x); }
HWY_INLINE RowVec OneMinus(RowVec x) { return hn::Sub(Number(1), x); }

/// Phi(x), the normal distribution.
HWY_INLINE RowVec NormalCdf(RowVec x) {
  const RowVec e = Erf(hn::Mul(x, Number(0.707106781F)));
  return hn::MulAdd(e, Number(0.5F), Number(0.5F));
}

constexpr float kGeluScale = 0.797884561F;  // sqrt(2 / pi)
constexpr float kGeluCube = 0.044715F;

/// tanh(sqrt(2 / pi) (x + 0.044715 x^3)).
HWY_INLINE RowVec GeluTanh(RowVec x) {
  const RowVec cubic = hn::MulAdd(hn::Mul(x, x), Number(kGeluCube), Number(1));
  return Tanh(hn::Mul(hn::Mul(x, Number(kGeluScale)), cubic));
}

HWY_INLINE RowVec GeluSlope(RowVec x) {
  const RowVec density = hn::Mul(Exp(hn::Mul(hn::Mul(x, x), Number(-0.5F))), Number(0.398942280F));
  return hn::MulAdd(x, density, NormalCdf(x));
}

HWY_INLINE RowVec GeluTanhSlope(RowVec x) {
  const RowVec half = Number(0.5F);
  const RowVec t = GeluTanh(x);
  const RowVec inner =
      hn::MulAdd(hn::Mul(x, x), Number(3 * kGeluCube * kGeluScale), Number(kGeluScale));
  const RowVec rest = hn::Mul(hn::Mul(half, x), hn::Mul(hn::NegMulAdd(t, t, Number(1)), inner));
  return hn::Add(hn::MulAdd(t, half, half), rest);
}

HWY_INLINE RowVec SiluSlope(RowVec x) {
  const RowVec s = Sigmoid(x);
  return hn::Mul(s, hn::MulAdd(x, OneMinus(s), Number(1)));
}

void UnaryRange(Unary f, const float* x, float* y, Dim count) {
  switch (f) {
    case Unary::relu:
      return MapRow(x, y, count,
                    [](RowVec v) { return hn::IfThenElse(hn::Lt(v, Number(0)), Number(0), v); });
    case Unary::gelu:
      return MapRow(x, y, count, [](RowVec v) { return hn::Mul(v, NormalCdf(v)); });
    case Unary::gelu_tanh:
      return MapRow(x, y, count, [](RowVec v) {
        return hn::Mul(v, hn::MulAdd(GeluTanh(v), Number(0.5F), Number(0.5F)));
      });
    case Unary::silu:
      return MapRow(x, y, count, [](RowVec v) { return hn::Mul(v, Sigmoid(v)); });
    case Unary::tanh:
      return MapRow(x, y, count, [](RowVec v) { return Tanh(v); });
    case Unary::sigmoid:
      return MapRow(x, y, count, [](RowVec v) { return Sigmoid(v); });
    case Unary::exp:
      return MapRow(x, y, count, [](RowVec v) { return Exp(v); });
    case Unary::log:
      return MapRow(x, y, count, [](RowVec v) { return Log(v); });
    case Unary::sqrt:
      return MapRow(x, y, count, [](RowVec v) { return hn::Sqrt(v); });
  }
}

/// `from` is x or y, whichever the derivative is read from.
void UnaryBackwardRange(Unary f, const float* from, const float* dy, float* dx, Dim count) {
  switch (f) {
    case Unary::relu:
      return MapRows(from, dy, dx, count, [](RowVec x, RowVec d) {
        return hn::IfThenElseZero(hn::Gt(x, Number(0)), d);
      });
    case Unary::gelu:
      return MapRows(from, dy, dx, count,
                     [](RowVec x, RowVec d) { return hn::Mul(d, GeluSlope(x)); });
    case Unary::gelu_tanh:
      return MapRows(from, dy, dx, count,
                     [](RowVec x, RowVec d) { return hn::Mul(d, GeluTanhSlope(x)); });
    case Unary::silu:
      return MapRows(from, dy, dx, count,
                     [](RowVec x, RowVec d) { return hn::Mul(d, SiluSlope(x)); });
    case Unary::tanh:
      return MapRows(from, dy, dx, count,
                     [](RowVec y, RowVec d) { return hn::Mul(d, hn::NegMulAdd(y, y, Number(1))); });
    case Unary::sigmoid:
      return MapRows(from, dy, dx, count,
                     [](RowVec y, RowVec d) { return hn::Mul(d, hn::Mul(y, OneMinus(y))); });
    case Unary::exp:
      return MapRows(from, dy, dx, count, [](RowVec y, RowVec d) { return hn::Mul(d, y); });
    case Unary::log:
      return MapRows(from, dy, dx, count, [](RowVec x, RowVec d) { return hn::Div(d, x); });
    case Unary::sqrt:
      return MapRows(from, dy, dx, count,
                     [](RowVec y, RowVec d) { return hn::Div(hn::Mul(d, Number(0.5F)), y); });
  }
}

void BinaryRange(Binary op, const float* a, const float* b, float* y, Dim count) {
  switch (op) {
    case Binary::add:
      return MapRows(a, b, y, count, [](RowVec u, RowVec v) { return hn::Add(u, v); });
    case Binary::sub:
      return MapRows(a, b, y, count, [](RowVec u, RowVec v) { return hn::Sub(u, v); });
    case Binary::mul:
      return MapRows(a, b, y, count, [](RowVec u, RowVec v) { return hn::Mul(u, v); });
    case Binary::div:
      return MapRows(a, b, y, count, [](RowVec u, RowVec v) { return hn::Div(u, v); });
  }
}

void BinaryNumber(Binary op, const float* x, float number, float* y, Dim count) {
  const RowVec v = Number(number);
  switch (op) {
    case Binary::add:
      return MapRow(x, y, count, [v](RowVec u) { return hn::Add(u, v); });
    case Binary::sub:
      return MapRow(x, y, count, [v](RowVec u) { return hn::Sub(u, v); });
    case Binary::mul:
      return MapRow(x, y, count, [v](RowVec u) { return hn::Mul(u, v); });
    case Binary::div:
      return MapRow(x, y, count, [v](RowVec u) { return hn::Div(u, v); });
  }
}

void AxpyRange(float alpha, const float* x, float* y, Dim count) {
  const RowVec a = Number(alpha);
  MapRows(x, y, y, count, [a](RowVec u, RowVec v) { return hn::MulAdd(a, u, v); });
}

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::kernels {

HWY_EXPORT(UnaryRange);
HWY_EXPORT(UnaryBackwardRange);
HWY_EXPORT(BinaryRange);
HWY_EXPORT(BinaryNumber);
HWY_EXPORT(AxpyRange);

void unary(Unary f, const float* x, float* y, Dim count) {
  const auto range = HWY_DYNAMIC_DISPATCH(UnaryRange);
  parallel_for(count, kElementGrain,
               [&](Dim begin, Dim end) { range(f, x + begin, y + begin, end - begin); });
}

void unary_backward(Unary f, const float* x, const float* y, const float* dy, float* dx,
                    Dim count) {
  const auto range = HWY_DYNAMIC_DISPATCH(UnaryBackwardRange);
  const float* from = slope_is_read_from_y(f) ? y : x;
  parallel_for(count, kElementGrain, [&](Dim begin, Dim end) {
    range(f, from + begin, dy + begin, dx + begin, end - begin);
  });
}

void binary(Binary op, const float* a, const float* b, float* y, Dim count) {
  const auto range = HWY_DYNAMIC_DISPATCH(BinaryRange);
  parallel_for(count, kElementGrain, [&](Dim begin, Dim end) {
    range(op, a + begin, b + begin, y + begin, end - begin);
  });
}

void binary_row(Binary op, Rows<const float> x, const float* row, Rows<float> y) {
  const auto range = HWY_DYNAMIC_DISPATCH(BinaryRange);
  parallel_for(x.rows, row_grain(x.cols), [&](Dim begin, Dim end) {
    for (Dim r = begin; r < end; ++r) range(op, x[r], row, y[r], x.cols);
  });
}

void binary_column(Binary op, Rows<const float> x, const float* column, Rows<float> y) {
  const auto range = HWY_DYNAMIC_DISPATCH(BinaryNumber);
  parallel_for(x.rows, row_grain(x.cols), [&](Dim begin, Dim end) {
    for (Dim r = begin; r < end; ++r) range(op, x[r], column[r], y[r], x.cols);
  });
}

void scale(float alpha, const float* x, float* y, Dim count) {
  const auto range = HWY_DYNAMIC_DISPATCH(BinaryNumber);
  parallel_for(count, kElementGrain, [&](Dim begin, Dim end) {
    range(Binary::mul, x + begin, alpha, y + begin, end - begin);
  });
}

void axpy(float alpha, const float* x, float* y, Dim count) {
  const auto range = HWY_DYNAMIC_DISPATCH(AxpyRange);
  parallel_for(count, kElementGrain,
               [&](Dim begin, Dim end) { range(alpha, x + begin, y + begin, end - begin); });
}

void unary(Unary f, const double* x, double* y, Dim count) { plain::unary(f, x, y, count); }
void unary_backward(Unary f, const double* x, const double* y, const double* dy, double* dx,
                    Dim count) {
  plain::unary_backward(f, x, y, dy, dx, count);
}
void binary(Binary op, const double* a, const double* b, double* y, Dim count) {
  plain::binary(op, a, b, y, count);
}
void binary_row(Binary op, Rows<const double> x, const double* row, Rows<double> y) {
  plain::binary_row(op, x, row, y);
}
void binary_column(Binary op, Rows<const double> x, const double* column, Rows<double> y) {
  plain::binary_column(op, x, column, y);
}
void scale(double alpha, const double* x, double* y, Dim count) {
  plain::scale(alpha, x, y, count);
}
void axpy(double alpha, const double* x, double* y, Dim count) { plain::axpy(alpha, x, y, count); }

}  // namespace fovea::kernels
#endif
