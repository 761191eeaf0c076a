/// What a recurrent cell does between its matrix products. N rows of H units.
///
/// Outputs may be the same memory as inputs of the same shape, unless said otherwise.
#pragma once

#include "fovea/base/view.h"

namespace fovea::kernels {

/// LSTM (Hochreiter and Schmidhuber 1997, with forget gates as in Gers et al. 2000):
///   i, f, g, o = sigmoid, sigmoid, tanh, sigmoid of the four parts of `gates` (N, 4H)
///   c = f c_prev + i g,  h = o tanh(c).
/// `gates` holds the sums W x + U h_prev + b before, and i, f, g, o after.
void lstm(Rows<float> gates, Rows<const float> c_prev, Rows<float> c, Rows<float> h);
void lstm(Rows<double> gates, Rows<const double> c_prev, Rows<double> c, Rows<double> h);

template <class T>
struct LstmBackward {
  Rows<const T> gates;   // (N, 4H), as lstm left them
  Rows<const T> c_prev;  // (N, H)
  Rows<const T> c;       // (N, H)
  Rows<const T> dh;      // (N, H)
  Rows<const T> dc;      // (N, H), what comes back along c; null data: nothing does
  Rows<T> dgates;        // (N, 4H), of the sums; may be `gates`
  Rows<T> dc_prev;       // (N, H); may be `dc`
};
void lstm_backward(const LstmBackward<float>& rows);
void lstm_backward(const LstmBackward<double>& rows);

/// GRU (Cho et al. 2014, with the reset gate after the product, as in cuDNN):
///   r = sigmoid(x_r + h_r),  z = sigmoid(x_z + h_z),  n = tanh(x_n + r h_n)
///   h = (1 - z) n + z h_prev.
/// `x_gates` (N, 3H) holds W x + b before, in the order r, z, n, and r, z, n themselves after.
/// `h_gates` (N, 3H) is U h_prev + its bias; backward needs its last part again.
void gru(Rows<float> x_gates, Rows<const float> h_gates, Rows<const float> h_prev, Rows<float> h);
void gru(Rows<double> x_gates, Rows<const double> h_gates, Rows<const double> h_prev,
         Rows<double> h);

template <class T>
struct GruBackward {
  Rows<const T> gates;    // (N, 3H), r, z, n as gru left them in x_gates
  Rows<const T> h_gates;  // (N, 3H), as gru was given them
  Rows<const T> h_prev;   // (N, H)
  Rows<const T> dh;       // (N, H)
  Rows<T> dx_gates;       // (N, 3H); may be `gates`
  Rows<T> dh_gates;       // (N, 3H); may be `h_gates`
  Rows<T> dh_prev;        // (N, H), the part that does not go through h_gates; may be `dh`
};
void gru_backward(const GruBackward<float>& rows);
void gru_backward(const GruBackward<double>& rows);

}  // namespace fovea::kernels
