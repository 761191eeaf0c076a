/// Gated linear units: half of a row opens or closes the other half.
#pragma once

#include "fovea/base/view.h"

namespace fovea::kernels {

/// A row of x is a, then b, each as long as a row of y.
enum class Glu {
  sigmoid,  // y = a sigmoid(b). Dauphin et al. 2017
  silu,     // y = silu(a) b: SwiGLU. Shazeer 2020
};

void glu(Glu kind, Rows<const float> x, Rows<float> y);
void glu(Glu kind, Rows<const double> x, Rows<double> y);

/// dx from dy. dx may be the same memory as x.
void glu_backward(Glu kind, Rows<const float> x, Rows<const float> dy, Rows<float> dx);
void glu_backward(Glu kind, Rows<const double> x, Rows<const double> dy, Rows<double> dx);

}  // namespace fovea::kernels
