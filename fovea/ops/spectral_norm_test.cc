#include "fovea/ops/spectral_norm.h"

#include <gtest/gtest.h>

#include "fovea/ops/expect_error.h"
#include "fovea/ops/op_samples.h"

namespace fovea {
namespace {

TEST(SpectralNorm, FindsTheLargestSingularValue) {
  const Tensor weight = Tensor::of<double>({2, 3}, {0, 3, 0, 1, 0, 0});  // 3 and 1
  SpectralVectors vectors = {Tensor::full({2}, 1, DType::f64), Tensor::full({3}, 1, DType::f64)};
  for (int i = 0; i < 40; ++i) power_iteration(weight, vectors);
  const Tensor y = spectral_norm(weight, vectors).value();
  EXPECT_NEAR(y.data<double>()[1], 1, 1e-12);
  EXPECT_NEAR(y.data<double>()[3], 1.0 / 3, 1e-12);
}

TEST(SpectralNorm, LeavesZerosAlone) {
  const Tensor weight = Tensor::zeros({2, 3});
  SpectralVectors vectors = {Tensor::full({2}, 1), Tensor::full({3}, 1)};
  power_iteration(weight, vectors);
  EXPECT_TRUE(identical(spectral_norm(weight, vectors).value(), weight));
}

TEST(WeightNorm, HasTheLengthsItIsGiven) {
  const Var w = weight_norm(Tensor::of<double>({3, 2}, {3, 4, 0, 0, 0, -2}),
                            Tensor::of<double>({3}, {10, 1, 5}));
  EXPECT_TRUE(identical(w.value(), Tensor::of<double>({3, 2}, {6, 8, 0, 0, 0, -5})));
}

TEST(SpectralNorm, SaysWhatDoesNotFit) {
  SpectralVectors vectors = {Tensor::zeros({2}), Tensor::zeros({4})};
  expect_error(
      [&] {
        spectral_norm(Tensor::zeros({2, 3}), vectors);
      },
      {"spectral norm", "v", "(3)", "(4)"});
  expect_error([&] { power_iteration(Tensor::zeros({4, 4}), vectors); }, {"u", "(4)", "(2)"});
  expect_error(
      [&] {
        weight_norm(Tensor::zeros({2, 3}), Tensor::zeros({3}));
      },
      {"weight norm", "(2)", "(3)"});
}

}  // namespace
}  // namespace fovea
