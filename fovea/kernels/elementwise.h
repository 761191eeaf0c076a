/// Maps over elements: one, two or a row of numbers at a time.
///
/// An output may be the same memory as any input of the same shape.
#pragma once

#include "fovea/base/view.h"

namespace fovea::kernels {

enum class Unary {
  relu,       // max(x, 0)
  gelu,       // x Phi(x) = x (1 + erf(x / sqrt 2)) / 2. Hendrycks and Gimpel 2016
  gelu_tanh,  // x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2: their approximation, in GPT-2
  silu,       // x sigmoid(x). Elfwing et al. 2017
  tanh,
  sigmoid,  // 1 / (1 + exp(-x))
  exp,
  log,
  sqrt,
};

/// y = f(x). NaN gives NaN.
void unary(Unary f, const float* x, float* y, Dim count);
void unary(Unary f, const double* x, double* y, Dim count);

/// Whether f' is read from y = f(x); from x for the others.
constexpr bool slope_is_read_from_y(Unary f) {
  return f == Unary::tanh || f == Unary::sigmoid || f == Unary::exp || f == Unary::sqrt;
}

/// dx = dy f'(x), with y = f(x). The one of x and y that the derivative is not read from may be
/// null. relu'(0) = 0, so that y does for x.
void unary_backward(Unary f, const float* x, const float* y, const float* dy, float* dx, Dim count);
void unary_backward(Unary f, const double* x, const double* y, const double* dy, double* dx,
                    Dim count);

enum class Binary { add, sub, mul, div };

/// y = a op b.
void binary(Binary op, const float* a, const float* b, float* y, Dim count);
void binary(Binary op, const double* a, const double* b, double* y, Dim count);

/// y_rc = x_rc op row_c.
void binary_row(Binary op, Rows<const float> x, const float* row, Rows<float> y);
void binary_row(Binary op, Rows<const double> x, const double* row, Rows<double> y);

/// y_rc = x_rc op column_r: one number a row.
void binary_column(Binary op, Rows<const float> x, const float* column, Rows<float> y);
void binary_column(Binary op, Rows<const double> x, const double* column, Rows<double> y);

/// y = alpha x.
void scale(float alpha, const float* x, float* y, Dim count);
void scale(double alpha, const double* x, double* y, Dim count);

/// y = y + alpha x.
void axpy(float alpha, const float* x, float* y, Dim count);
void axpy(double alpha, const double* x, double* y, Dim count);

}  // namespace fovea::kernels
