#include "fovea/autograd/gradient_check.h"

#include <algorithm>
#include <cmath>

#include "fovea/autograd/backward.h"
#include "fovea/base/rng.h"

namespace fovea {

GradientCheck check_gradients(const std::function<Var(const std::vector<Var>&)>& f,
                              const std::vector<Tensor>& inputs, double step) {
  std::vector<Var> vars;
  for (const Tensor& input : inputs) {
    FOVEA_CHECK(input.dtype() == DType::f64, "check_gradients: inputs are f64, found ",
                input.dtype());
    vars.push_back(Var::parameter(input.clone()));
  }
  const Var y = f(vars);
  Tensor projection = Tensor::empty(y.shape(), DType::f64);
  const Draws draws{.seed = 17, .site = 0};
  for (Dim i = 0; i < projection.size(); ++i) {
    projection.mutable_data<double>()[i] = draws.normal(static_cast<std::uint64_t>(i));
  }
  const auto projected = [&] {
    NoTape off;
    const Tensor value = f(vars).value();
    double sum = 0;
    for (Dim i = 0; i < value.size(); ++i)
      sum += value.data<double>()[i] * projection.data<double>()[i];
    return sum;
  };

  GradientCheck check;
  const Gradients gradients = backward(y, {.seed = projection});
  for (std::size_t v = 0; v < vars.size(); ++v) {
    const Tensor analytic = gradients[vars[v]];
    double* x = vars[v].mutable_value().mutable_data<double>();
    for (Dim i = 0; i < analytic.size(); ++i) {
      const double at = x[i];
      x[i] = at + step;
      const double above = projected();
      x[i] = at - step;
      const double below = projected();
      x[i] = at;
      const double numeric = (above - below) / (2 * step);
      const double found = analytic.data<double>()[i];
      const double error = std::abs(found - numeric) / std::max(1.0, std::abs(numeric));
      if (!(error <= check.worst)) {  // also when NaN
        check.worst = std::isnan(error) ? HUGE_VAL : error;
        check.where =
            concat("input ", v, ", element ", i, ": analytic ", found, ", numeric ", numeric);
      }
    }
  }
  return check;
}

}  // namespace fovea
