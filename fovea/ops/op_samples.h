/// Sample inputs of every op, for ops_test.cc: one specialisation of Samples for each op, in
/// <family>_samples.h.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fovea/autograd/var.h"
#include "fovea/base/rng.h"

namespace fovea {

struct Sample {
  std::string label;
  std::vector<Tensor> inputs;  // f64; the test also runs them in f32
  std::function<Var(const std::vector<Var>&)> run;
  /// The first so many inputs have a row for each row of the value, which depends on nothing else
  /// of them: a row's result is then the same whatever else is in its batch.
  int row_inputs = 0;
};

/// template <> struct Samples<op::Softmax> { static std::vector<Sample> make(); };
/// At least: an ordinary case, odd sizes, and no rows at all. Where an op has a kink, inputs stay
/// clear of it.
template <class Op>
struct Samples;

/// Normal numbers, the same each time for the same seed.
inline Tensor normal_sample(Shape shape, std::uint64_t seed, double scale = 1, double shift = 0) {
  Tensor t = Tensor::empty(shape, DType::f64);
  const Draws draws{.seed = seed, .site = 1};
  for (Dim i = 0; i < t.size(); ++i) {
    t.mutable_data<double>()[i] = shift + scale * draws.normal(static_cast<std::uint64_t>(i));
  }
  return t;
}

}  // namespace fovea
