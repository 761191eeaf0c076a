// Transcendental functions of a vector of floats, where Highway's own are slow or lack NaN: these
// let NaN through, reach their limits at the infinities, and are within a few units of the last
// place (erf: 3e-7 in absolute terms). Coefficients are minimax fits made for this file.
#if defined(FOVEA_KERNELS_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FOVEA_KERNELS_MATH_INL_H_
#undef FOVEA_KERNELS_MATH_INL_H_
#else
#define FOVEA_KERNELS_MATH_INL_H_
#endif

#include <limits>

#include "fovea/kernels/rows-inl.h"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {

/// x within [low, high]; NaN stays NaN: the vector instructions return the second operand then, or
/// NaN itself. Highway's plain ones return the operand that is a number.
HWY_INLINE RowVec Clamp(RowVec x, float low, float high) {
  const RowTag f;
  const RowVec within = hn::Max(hn::Set(f, low), hn::Min(hn::Set(f, high), x));
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
  return hn::IfThenElse(hn::IsNaN(x), x, within);
#else
  return within;
#endif
}

/// 2^n for integers in [-126, 127].
HWY_INLINE RowVec PowerOfTwo(hn::Vec<hn::RebindToSigned<RowTag>> n) {
  const hn::RebindToSigned<RowTag> i;
  return hn::BitCast(RowTag(), hn::ShiftLeft<23>(hn::Add(n, hn::Set(i, 127))));
}

/// x = n ln 2 + r with |r| <= ln 2 / 2; gives n, and exp(r) - 1 = r + r^2 q(r).
struct ExpParts {
  hn::Vec<hn::RebindToSigned<RowTag>> n;
  RowVec expm1;
};
HWY_INLINE ExpParts SplitExp(RowVec x) {
  const RowTag f;
  const hn::RebindToSigned<RowTag> i;
  const RowVec n = hn::Round(hn::Mul(x, hn::Set(f, 1.44269504F)));
  RowVec r = hn::NegMulAdd(n, hn::Set(f, 0.693145752F), x);  // ln 2 in two parts
  r = hn::NegMulAdd(n, hn::Set(f, 1.42860677e-6F), r);
  const RowVec r2 = hn::Mul(r, r);
  const RowVec low = hn::MulAdd(hn::Set(f, 1.666654318e-01F), r, hn::Set(f, 4.999999814e-01F));
  RowVec high = hn::MulAdd(hn::Set(f, 1.388251890e-03F), r, hn::Set(f, 8.366580245e-03F));
  high = hn::MulAdd(high, r, hn::Set(f, 4.166720165e-02F));
  const RowVec q = hn::MulAdd(high, r2, low);
  return {hn::ConvertTo(i, n), hn::MulAdd(q, r2, r)};
}

/// e^x. Rises to +inf above 88.7 and falls through the subnormals to 0 at -104.
HWY_INLINE RowVec Exp(RowVec x) {
  const RowTag f;
  const ExpParts parts = SplitExp(Clamp(x, -104.0F, 89.0F));
  const auto half = hn::ShiftRight<1>(parts.n);  // 2^n in two factors: n itself leaves the range
  const RowVec y = hn::Mul(hn::Add(parts.expm1, hn::Set(f, 1)), PowerOfTwo(half));
  return hn::Mul(y, PowerOfTwo(hn::Sub(parts.n, half)));
}

/// 1 / (1 + e^-x).
HWY_INLINE RowVec Sigmoid(RowVec x) {
  const RowVec one = hn::Set(RowTag(), 1);
  return hn::Div(one, hn::Add(one, Exp(hn::Neg(x))));
}

/// tanh x = t / (t + 2) with t = e^2x - 1, exact to the last places near 0 too.
HWY_INLINE RowVec Tanh(RowVec x) {
  const RowTag f;
  const RowVec small = Clamp(x, -9.1F, 9.1F);  // beyond, tanh rounds to 1
  const ExpParts parts = SplitExp(hn::Add(small, small));
  const RowVec power = PowerOfTwo(parts.n);
  const RowVec t = hn::MulAdd(parts.expm1, power, hn::Sub(power, hn::Set(f, 1)));
  return hn::Div(t, hn::Add(t, hn::Set(f, 2)));
}

/// erf x = x P(x^2) / Q(x^2) up to where it rounds to 1.
HWY_INLINE RowVec Erf(RowVec x) {
  const RowTag f;
  const RowVec small = Clamp(x, -3.92F, 3.92F);
  const RowVec z = hn::Mul(small, small);
  RowVec p = hn::MulAdd(hn::Set(f, 2.034734954e-06F), z, hn::Set(f, 2.874796894e-04F));
  p = hn::MulAdd(p, z, hn::Set(f, 3.868336852e-03F));
  p = hn::MulAdd(p, z, hn::Set(f, 5.306051163e-02F));
  p = hn::MulAdd(p, z, hn::Set(f, 1.927642752e-01F));
  p = hn::MulAdd(p, z, hn::Set(f, 1.128379022e+00F));
  RowVec q = hn::MulAdd(hn::Set(f, 3.807065508e-05F), z, hn::Set(f, 1.188117560e-03F));
  q = hn::MulAdd(q, z, hn::Set(f, 1.517231518e-02F));
  q = hn::MulAdd(q, z, hn::Set(f, 1.150847106e-01F));
  q = hn::MulAdd(q, z, hn::Set(f, 5.041645573e-01F));
  q = hn::MulAdd(q, z, hn::Set(f, 1));
  return Clamp(hn::Div(hn::Mul(small, p), q), -1.0F, 1.0F);
}

/// ln x: -inf at 0, NaN below, +inf at +inf.
HWY_INLINE RowVec Log(RowVec x) {
  const RowTag f;
  const RowVec zero = hn::Zero(f);
  const RowVec infinity = hn::Set(f, std::numeric_limits<float>::infinity());
  RowVec y = hn::IfThenElse(hn::Lt(x, infinity), hn::Log(f, x), x);  // +inf and NaN stay
  y = hn::IfThenElse(hn::Eq(x, zero), hn::Neg(infinity), y);
  return hn::IfThenElse(hn::Lt(x, zero), hn::Sub(infinity, infinity), y);
}

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
