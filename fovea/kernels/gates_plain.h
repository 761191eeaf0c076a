/// Recurrent cells as the formulas say them: the twin that the vector code is tested against, and
/// the path of double precision.
#pragma once

#include <cmath>

#include "fovea/kernels/elementwise_plain.h"
#include "fovea/kernels/gates.h"

namespace fovea::kernels::plain {

template <class T>
void lstm(Rows<T> gates, Rows<const T> c_prev, Rows<T> c, Rows<T> h) {
  const Dim H = h.cols;
  for (Dim r = 0; r < h.rows; ++r) {
    for (Dim k = 0; k < H; ++k) {
      T &i = gates[r][k], &f = gates[r][k + H], &g = gates[r][k + 2 * H], &o = gates[r][k + 3 * H];
      i = sigmoid(i), f = sigmoid(f), g = std::tanh(g), o = sigmoid(o);
      c[r][k] = f * c_prev[r][k] + i * g;
      h[r][k] = o * std::tanh(c[r][k]);
    }
  }
}

template <class T>
void lstm_backward(const LstmBackward<T>& rows) {
  const Dim H = rows.dh.cols;
  for (Dim r = 0; r < rows.dh.rows; ++r) {
    const T* gates = rows.gates[r];
    T* d = rows.dgates[r];
    for (Dim k = 0; k < H; ++k) {
      const T i = gates[k], f = gates[k + H], g = gates[k + 2 * H], o = gates[k + 3 * H];
      const T t = std::tanh(rows.c[r][k]), dh = rows.dh[r][k];
      const T dc = dh * o * (1 - t * t) + (rows.dc.data ? rows.dc[r][k] : T(0));
      d[k] = dc * g * i * (1 - i);
      d[k + H] = dc * rows.c_prev[r][k] * f * (1 - f);
      d[k + 2 * H] = dc * i * (1 - g * g);
      d[k + 3 * H] = dh * t * o * (1 - o);
      rows.dc_prev[r][k] = dc * f;
    }
  }
}

template <class T>
void gru(Rows<T> x_gates, Rows<const T> h_gates, Rows<const T> h_prev, Rows<T> h) {
  const Dim H = h.cols;
  for (Dim row = 0; row < h.rows; ++row) {
    const T* u = h_gates[row];
    for (Dim k = 0; k < H; ++k) {
      T &r = x_gates[row][k], &z = x_gates[row][k + H], &n = x_gates[row][k + 2 * H];
      r = sigmoid(r + u[k]), z = sigmoid(z + u[k + H]), n = std::tanh(n + r * u[k + 2 * H]);
      h[row][k] = (1 - z) * n + z * h_prev[row][k];
    }
  }
}

template <class T>
void gru_backward(const GruBackward<T>& rows) {
  const Dim H = rows.dh.cols;
  for (Dim row = 0; row < rows.dh.rows; ++row) {
    T *dx = rows.dx_gates[row], *du = rows.dh_gates[row];
    for (Dim k = 0; k < H; ++k) {
      const T r = rows.gates[row][k], z = rows.gates[row][k + H], n = rows.gates[row][k + 2 * H];
      const T h_n = rows.h_gates[row][k + 2 * H], dh = rows.dh[row][k];
      const T dn = dh * (1 - z) * (1 - n * n);
      dx[k] = du[k] = dn * h_n * r * (1 - r);
      dx[k + H] = du[k + H] = dh * (rows.h_prev[row][k] - n) * z * (1 - z);
      dx[k + 2 * H] = dn;
      du[k + 2 * H] = dn * r;
      rows.dh_prev[row][k] = dh * z;
    }
  }
}

}  // namespace fovea::kernels::plain
