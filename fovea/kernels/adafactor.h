/// One step of Adafactor (Shazeer and Stern 2018), which keeps the second moments of a matrix as a
/// number a row and a number a column.
#pragma once

#include "fovea/base/view.h"

namespace fovea::kernels {

/// With g the gradient times gradient_scale, of a matrix of R rows and C columns:
///   rows_r = beta2 rows_r + (1 - beta2) mean_c(g_rc^2 + eps)
///   columns_c = beta2 columns_c + (1 - beta2) mean_r(g_rc^2 + eps)
///   u_rc = g_rc / sqrt(rows_r columns_c / mean(rows))
///   w -= rate (u / max(1, rms(u) / clip) + weight_decay w).
/// The means are over what the paper sums (its algorithm 4): u is the same. The rate is the
/// caller's: in the paper max(1e-3, rms(w)) times the step's own. A vector is a matrix of one row:
/// then columns are the whole second moment.
template <class T>
struct Adafactor {
  T rate = T(1e-2);
  T beta2 = T(0.999);
  T eps = T(1e-30);
  T clip = 1;
  T weight_decay = 0;
  T gradient_scale = 1;
};
void adafactor(const Adafactor<float>& config, Rows<const float> gradient, float* rows,
               float* columns, Rows<float> w);
void adafactor(const Adafactor<double>& config, Rows<const double> gradient, double* rows,
               double* columns, Rows<double> w);

}  // namespace fovea::kernels
