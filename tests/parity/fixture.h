/// What PyTorch computed, from tests/fixtures; make_fixtures.py there says what tensors are called.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/autograd/backward.h"
#include "fovea/formats/safetensors.h"
#include "fovea/tensor/segments.h"

namespace fovea {

class Fixture {
 public:
  explicit Fixture(const std::string& name, DType dtype = DType::f32)
      : file_(SafeTensors::open(concat(FOVEA_FIXTURES, "/", name, ".safetensors"))),
        dtype_(dtype) {}

  /// Real numbers in the type that the test runs in, integers as they are.
  Tensor operator[](const std::string& name) const {
    Tensor t = file_.find(name);
    FOVEA_CHECK(t.defined(), "fixture: ", name, " is missing");
    return t.dtype() == DType::f32 ? t.to(dtype_) : t;
  }
  /// Something that wants a gradient.
  Var input(const std::string& name) const {
    return Var::parameter((*this)["input." + name].clone());
  }
  Segments segments(const std::string& name = "lengths") const {
    return Segments::of_lengths((*this)["input." + name].span<Dim>());
  }
  /// For Params: the parameters of the module under test.
  Params::Source source() const { return file_.source(); }
  DType dtype() const { return dtype_; }

 private:
  SafeTensors file_;
  DType dtype_;
};

/// Relative to the largest number of the tensor: errors of sums are of that size everywhere.
inline void expect_close(const Tensor& actual, const Tensor& expected, double tolerance = 1e-5) {
  ASSERT_EQ(actual.shape(), expected.shape());
  const Tensor a = actual.to(DType::f64), b = expected.to(DType::f64);
  double largest = 0;
  for (const double x : b.span<double>()) largest = std::max(largest, std::abs(x));
  for (Dim i = 0; i < a.size(); ++i) {
    ASSERT_NEAR(a.data<double>()[i], b.data<double>()[i], tolerance * (largest + 1e-3))
        << "element " << i << " of " << a.shape();
  }
}

/// The gradient of every trained parameter, by its name.
inline void expect_gradients(const Fixture& fixture, const Params& params, const Gradients& actual,
                             double tolerance = 1e-5) {
  for (const Parameter& p : params.all()) {
    if (!p.trained) continue;
    SCOPED_TRACE("the gradient of " + p.name);
    expect_close(actual[p.var], fixture["grad." + p.name], tolerance);
  }
}

}  // namespace fovea
