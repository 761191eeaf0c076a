#include "fovea/kernels/norm.h"

#include <gtest/gtest.h>

#include "fovea/kernels/kernel_testing.h"
#include "fovea/kernels/norm_plain.h"

namespace fovea::kernels {
namespace {

/// The gradients of the norm for one set of inputs, by the vector code and by its twin.
void expect_equal_to_twin(const Norm<float>& config, Dim rows, Dim cols, Dim misalign) {
  TestRows x(rows, cols, misalign, 1), y(rows, cols, misalign, 2), expected(rows, cols, 0, 2);
  TestRows stats(2, rows, 0, 0), expected_stats(2, rows, 0, 0);
  norm(config, x.view(), y.view(), {stats.view()[0], stats.view()[1]});
  plain::norm<float>(config, x.view(), expected.view(),
                     {expected_stats.view()[0], expected_stats.view()[1]});
  if (cols == 1) return;  // layer norm of one number is 0 / 0, but for eps
  expect_near(y.view(), expected.view(), 2e-5F);
  expect_near(stats.view(), expected_stats.view(), 2e-5F);
  y.expect_guards();

  TestRows dy(rows, cols, misalign, 3), dx(rows, cols, misalign, 4), expected_dx(rows, cols, 0, 4);
  TestRows sums(2, cols, misalign, 5), expected_sums(2, cols, 0, 5);
  const NormStats<const float> saved{stats.view()[0], stats.view()[1]};
  norm_backward(config, x.view(), saved, dy.view(), dx.view(), {sums.view()[0], sums.view()[1]});
  plain::norm_backward<float>(config, x.view(), saved, dy.view(), expected_dx.view(),
                              {expected_sums.view()[0], expected_sums.view()[1]});
  expect_near(dx.view(), expected_dx.view(), 5e-5F);
  expect_near(sums.view(), expected_sums.view(), 5e-5F);
  dx.expect_guards();
  sums.expect_guards();

  norm_backward(config, x.view(), saved, dy.view(), dy.view(), {});  // in place, sums not wanted
  expect_near(dy.view(), dx.view(), 0);
}

TEST(Norm, EqualsItsTwinOnEveryTarget) {
  for_each_target([] {
    for (const NormKind kind : {NormKind::layer, NormKind::rms}) {
      for_each_shape(3, [&](Dim rows, Dim cols, Dim misalign) {
        TestRows weights(2, cols, misalign, 6);
        expect_equal_to_twin({.kind = kind}, rows, cols, misalign);
        expect_equal_to_twin({.kind = kind, .gamma = weights.view()[0], .beta = weights.view()[1]},
                             rows, cols, misalign);
      });
    }
  });
}

TEST(Norm, EqualsItsTwinOverManyBlocksOfRows) {
  TestRows weights(2, 40, 0, 6);
  expect_equal_to_twin({.gamma = weights.view()[0], .beta = weights.view()[1]}, 333, 40, 0);
  expect_equal_to_twin({}, 0, 40, 0);
}

TEST(Norm, BackwardHasTheSameBitsOnAnyThreads) {
  const Dim rows = 1000, cols = 37;
  TestRows x(rows, cols, 0, 1), dy(rows, cols, 0, 2), dx(rows, cols, 0, 3), stats(2, rows, 0, 0);
  norm({}, x.view(), dx.view(), {stats.view()[0], stats.view()[1]});
  expect_same_bits_on_any_threads([&] {
    std::vector<float> sums(2 * cols);
    norm_backward({}, x.view(), {stats.view()[0], stats.view()[1]}, dy.view(), dx.view(),
                  {sums.data(), sums.data() + cols});
    return sums;
  });
}

}  // namespace
}  // namespace fovea::kernels
