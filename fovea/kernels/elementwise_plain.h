/// Elementwise maps as the formulas say them: the twin that the vector code is tested against, and
/// the path of double precision.
#pragma once

#include <cmath>
#include <numbers>

#include "fovea/kernels/elementwise.h"

namespace fovea::kernels::plain {

template <class T>
T sigmoid(T x) {
  return 1 / (1 + std::exp(-x));
}

/// Phi(x), the normal distribution.
template <class T>
T normal_cdf(T x) {
  return (1 + std::erf(x / std::numbers::sqrt2_v<T>)) / 2;
}

/// tanh's argument in gelu_tanh.
template <class T>
T gelu_tanh_inner(T x) {
  return std::sqrt(2 / std::numbers::pi_v<T>) * (x + T(0.044715) * x * x * x);
}

template <class T>
T apply(Unary f, T x) {
  switch (f) {
    case Unary::relu:
      return x < 0 ? T(0) : x;
    case Unary::gelu:
      return x * normal_cdf(x);
    case Unary::gelu_tanh:
      return x * (1 + std::tanh(gelu_tanh_inner(x))) / 2;
    case Unary::silu:
      return x * sigmoid(x);
    case Unary::tanh:
      return std::tanh(x);
    case Unary::sigmoid:
      return sigmoid(x);
    case Unary::exp:
      return std::exp(x);
    case Unary::log:
      return std::log(x);
    case Unary::sqrt:
      return std::sqrt(x);
  }
  return x;
}

/// f'(x), from x or from y = f(x).
template <class T>
T slope(Unary f, const T* x, const T* y, Dim i) {
  switch (f) {
    case Unary::relu:
      return x[i] > 0 ? T(1) : T(0);
    case Unary::gelu: {
      const T density =
          std::exp(-x[i] * x[i] / 2) * std::numbers::inv_sqrtpi_v<T> / std::numbers::sqrt2_v<T>;
      return normal_cdf(x[i]) + x[i] * density;
    }
    case Unary::gelu_tanh: {
      const T t = std::tanh(gelu_tanh_inner(x[i]));
      const T inner_slope =
          std::sqrt(2 / std::numbers::pi_v<T>) * (1 + 3 * T(0.044715) * x[i] * x[i]);
      return (1 + t) / 2 + x[i] * (1 - t * t) * inner_slope / 2;
    }
    case Unary::silu: {
      const T s = sigmoid(x[i]);
      return s * (1 + x[i] * (1 - s));
    }
    case Unary::tanh:
      return 1 - y[i] * y[i];
    case Unary::sigmoid:
      return y[i] * (1 - y[i]);
    case Unary::exp:
      return y[i];
    case Unary::log:
      return 1 / x[i];
    case Unary::sqrt:
      return T(0.5) / y[i];
  }
  return 0;
}

template <class T>
void unary(Unary f, const T* x, T* y, Dim count) {
  for (Dim i = 0; i < count; ++i) y[i] = apply(f, x[i]);
}

template <class T>
void unary_backward(Unary f, const T* x, const T* y, const T* dy, T* dx, Dim count) {
  for (Dim i = 0; i < count; ++i) dx[i] = dy[i] * slope(f, x, y, i);
}

template <class T>
T apply(Binary op, T a, T b) {
  switch (op) {
    case Binary::add:
      return a + b;
    case Binary::sub:
      return a - b;
    case Binary::mul:
      return a * b;
    case Binary::div:
      return a / b;
  }
  return a;
}

template <class T>
void binary(Binary op, const T* a, const T* b, T* y, Dim count) {
  for (Dim i = 0; i < count; ++i) y[i] = apply(op, a[i], b[i]);
}

template <class T>
void binary_row(Binary op, Rows<const T> x, const T* row, Rows<T> y) {
  for (Dim r = 0; r < x.rows; ++r) binary(op, x[r], row, y[r], x.cols);
}

template <class T>
void binary_column(Binary op, Rows<const T> x, const T* column, Rows<T> y) {
  for (Dim r = 0; r < x.rows; ++r) {
    for (Dim c = 0; c < x.cols; ++c) y[r][c] = apply(op, x[r][c], column[r]);
  }
}

template <class T>
void scale(T alpha, const T* x, T* y, Dim count) {
  for (Dim i = 0; i < count; ++i) y[i] = alpha * x[i];
}

template <class T>
void axpy(T alpha, const T* x, T* y, Dim count) {
  for (Dim i = 0; i < count; ++i) y[i] += alpha * x[i];
}

}  // namespace fovea::kernels::plain
