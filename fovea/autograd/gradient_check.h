/// Are the gradients right? Compared with differences, in double precision.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fovea/autograd/var.h"

namespace fovea {

struct GradientCheck {
  double worst = 0;   // the largest |analytic - numeric| / max(1, |numeric|)
  std::string where;  // "input 1, element 5: analytic 0.2, numeric 0.3"
};

/// `f` must be smooth at `inputs` (f64) and give any shape; a random projection makes it a number.
/// Every element of every input is moved by +-step.
GradientCheck check_gradients(const std::function<Var(const std::vector<Var>&)>& f,
                              const std::vector<Tensor>& inputs, double step = 1e-5);

}  // namespace fovea
