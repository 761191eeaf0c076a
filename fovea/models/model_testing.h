/// For tests of whole models: are their gradients right, do they learn?
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "fovea/autograd/backward.h"
#include "fovea/nn/params.h"

namespace fovea {

/// Compares the gradient of a loss (f64) with differences, for every element of every parameter.
/// Where a model lets only a part of a gradient through, `share` tells the part by the parameter's
/// name; parameters with a share of 0 are left out.
inline void expect_right_gradients(
    Params& params, const std::function<Var()>& loss,
    const std::function<double(const std::string&)>& share = [](const auto&) { return 1.0; }) {
  constexpr double step = 1e-5;
  const Gradients gradients = backward(loss());
  const NoTape no_tape;
  for (Parameter& parameter : params.all()) {
    const double factor = share(parameter.name);
    if (factor == 0) continue;
    const Tensor analytic = gradients[parameter.var];
    double* at = parameter.var.mutable_value().mutable_data<double>();
    bool reached = false;
    for (Dim i = 0; i < analytic.size(); ++i) {
      const double before = at[i];
      at[i] = before + step;
      const double above = loss().item();
      at[i] = before - step;
      const double below = loss().item();
      at[i] = before;
      const double numeric = factor * (above - below) / (2 * step);
      reached = reached || numeric != 0;
      ASSERT_NEAR(analytic.data<double>()[i], numeric, 1e-7 * std::max(1.0, std::abs(numeric)))
          << parameter.name << " element " << i;
    }
    EXPECT_TRUE(reached) << parameter.name << " changes nothing";
  }
}

/// Some steps of Adam (Kingma and Ba 2015), f32. Gives the mean of the last tenth of the losses.
inline double learn(Params& params, Dim steps, double rate,
                    const std::function<Var(Dim step)>& loss) {
  struct Moments {
    std::vector<double> first, second;
  };
  std::map<const Parameter*, Moments> moments;
  double sum = 0;
  const Dim counted = steps / 10;
  for (Dim t = 1; t <= steps; ++t) {
    const Var here = loss(t);
    if (t > steps - counted) sum += here.item();
    const Gradients gradients = backward(here);
    for (Parameter& parameter : params.all()) {
      const Tensor gradient = gradients[parameter.var];
      auto& [first, second] = moments[&parameter];
      first.resize(static_cast<std::size_t>(gradient.size()));
      second.resize(first.size());
      float* at = parameter.var.mutable_value().mutable_data<float>();
      for (std::size_t i = 0; i < first.size(); ++i) {
        const double g = gradient.data<float>()[i];
        first[i] = 0.9 * first[i] + 0.1 * g;
        second[i] = 0.999 * second[i] + 0.001 * g * g;
        const double mean = first[i] / (1 - std::pow(0.9, t));
        const double square = second[i] / (1 - std::pow(0.999, t));
        at[i] -= static_cast<float>(rate * mean / (std::sqrt(square) + 1e-8));
      }
    }
  }
  return sum / static_cast<double>(counted);
}

}  // namespace fovea
