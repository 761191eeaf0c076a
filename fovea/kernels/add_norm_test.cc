#include "fovea/kernels/add_norm.h"

#include <gtest/gtest.h>

#include "fovea/kernels/add_norm_plain.h"
#include "fovea/kernels/kernel_testing.h"

namespace fovea::kernels {
namespace {

void expect_equal_to_twin(const AddNorm<float>& config, Dim rows, Dim cols, Dim misalign) {
  TestRows x(rows, cols, misalign, 1), residual(rows, cols, misalign, 2),
      z(rows, cols, misalign, 3), y(rows, cols, misalign, 4), stats(2, rows, 0, 0);
  TestRows expected_z(rows, cols, 0, 3), expected_y(rows, cols, 0, 4),
      expected_stats(2, rows, 0, 0);
  add_norm(config, x.view(), residual.view(), z.view(), y.view(),
           {stats.view()[0], stats.view()[1]});
  plain::add_norm<float>(config, x.view(), residual.view(), expected_z.view(), expected_y.view(),
                         {expected_stats.view()[0], expected_stats.view()[1]});
  expect_near(z.view(), expected_z.view(), 1e-6F);
  expect_near(y.view(), expected_y.view(), 5e-5F);
  z.expect_guards();
  y.expect_guards();

  const NormStats<const float> saved{stats.view()[0], stats.view()[1]};
  TestRows dy(rows, cols, misalign, 5), dz(rows, cols, misalign, 6), sums(2, cols, misalign, 7),
      dx(rows, cols, misalign, 8), expected_dz(rows, cols, misalign, 6),
      expected_sums(2, cols, misalign, 7), expected_dx(rows, cols, 0, 8);
  // The gradient of the residual in the memory of dz, which comes back along z.
  add_norm_backward(config, z.view(), saved, dy.view(), dz.view(),
                    {dx.view(), dz.view(), {sums.view()[0], sums.view()[1]}});
  plain::add_norm_backward<float>(
      config, z.view(), saved, dy.view(), expected_dz.view(),
      {expected_dx.view(), expected_dz.view(), {expected_sums.view()[0], expected_sums.view()[1]}});
  expect_near(dz.view(), expected_dz.view(), 2e-4F);
  expect_near(dx.view(), expected_dx.view(), 2e-4F);
  expect_near(sums.view(), expected_sums.view(), 1e-4F);
  dx.expect_guards();
  dz.expect_guards();
}

TEST(AddNorm, EqualsItsTwinOnEveryTarget) {
  for_each_target([] {
    for (const float p : {0.0F, 0.3F}) {
      for_each_shape(3, [&](Dim rows, Dim cols, Dim misalign) {
        if (cols == 1) return;  // layer norm of one number is 0 / 0, but for eps
        TestRows weights(2, cols, misalign, 9);
        expect_equal_to_twin(
            {.norm = {.eps = 1e-3F, .gamma = weights.view()[0], .beta = weights.view()[1]},
             .dropout = {p, {.seed = 3, .site = 4}}},
            rows, cols, misalign);
      });
    }
  });
  expect_equal_to_twin({.norm = {.kind = NormKind::rms}, .dropout = {0.1F, {}}}, 200, 40, 0);
}

TEST(AddNorm, NothingComesBackAlongZ) {
  const AddNorm<float> config{.norm = {}, .dropout = {0.1F, {}}};
  TestRows x(5, 9, 0, 1), z(5, 9, 0, 3), y(5, 9, 0, 4), stats(2, 5, 0, 0);
  add_norm(config, x.view(), x.view(), z.view(), y.view(), {stats.view()[0], stats.view()[1]});
  const NormStats<const float> saved{stats.view()[0], stats.view()[1]};
  TestRows dy(5, 9, 0, 5), dx(5, 9, 0, 6), dresidual(5, 9, 0, 7), expected(5, 9, 0, 8);
  add_norm_backward(config, z.view(), saved, dy.view(), {}, {dx.view(), dresidual.view(), {}});
  norm_backward(config.norm, z.view(), saved, dy.view(), expected.view(), {});
  expect_near(dresidual.view(), expected.view(), 0);
}

}  // namespace
}  // namespace fovea::kernels
