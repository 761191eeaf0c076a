#include "fovea/kernels/cross_entropy.h"

#include <gtest/gtest.h>

#include "fovea/kernels/cross_entropy_plain.h"
#include "fovea/kernels/kernel_testing.h"

namespace fovea::kernels {
namespace {

TEST(CrossEntropy, EqualsItsTwinOnEveryTarget) {
  for_each_target([] {
    for (const float smoothing : {0.0F, 0.1F}) {
      for_each_shape(4, [&](Dim rows, Dim cols, Dim misalign) {
        if (cols == 0) return;
        const auto last = static_cast<std::int32_t>(cols - 1);
        const std::int32_t targets[] = {0, -1, last, last / 2};
        const float weights[] = {1, 2, 0.5F, 3};
        TestRows x(rows, cols, misalign, 1), expected(rows, cols, 0, 1);
        TestRows losses(1, rows, 0, 2), expected_losses(1, rows, 0, 2);
        cross_entropy(x.view(), targets, smoothing, losses.view()[0], nullptr);
        expect_near(x.view(), expected.view(), 0);  // left alone
        plain::cross_entropy<float>(expected.view(), targets, smoothing, expected_losses.view()[0],
                                    weights);
        expect_near(losses.view(), expected_losses.view(), 3e-6F);
        cross_entropy(x.view(), targets, smoothing, losses.view()[0], weights);
        expect_near(losses.view(), expected_losses.view(), 3e-6F);
        expect_near(x.view(), expected.view(), 2e-6F);
        x.expect_guards();
      });
    }
  });
}

TEST(CrossEntropy, LargeLogitsDoNotOverflow) {
  for_each_target([] {
    float x[] = {1e4F, -1e4F, 9999.0F}, loss = 0;
    const std::int32_t target = 2;
    const float weight = 1;
    cross_entropy(rows_of(x, 1, 3), &target, 0, &loss, &weight);
    EXPECT_NEAR(loss, 1 + std::log1p(std::exp(-1.0F)), 1e-6F);
    EXPECT_NEAR(x[0], 0.7310586F, 1e-6F);
    EXPECT_EQ(x[1], 0);
    EXPECT_NEAR(x[2], 0.2689414F - 1, 1e-6F);
  });
}

TEST(CrossEntropy, NoRowsAndNoColumns) {
  const std::int32_t target = -1;
  float loss = 1;
  cross_entropy(rows_of<float>(nullptr, 0, 5), nullptr, 0.1F, nullptr, nullptr);
  cross_entropy(rows_of<float>(nullptr, 1, 0), &target, 0.1F, &loss, &loss);
  EXPECT_EQ(loss, 0);
}

TEST(LogSoftmax, EqualsItsTwinOnEveryTarget) {
  for_each_target([] {
    for_each_shape(3, [&](Dim rows, Dim cols, Dim misalign) {
      TestRows x(rows, cols, misalign, 1), y(rows, cols, misalign, 2), expected(rows, cols, 0, 2);
      log_softmax(x.view(), y.view());
      plain::log_softmax<float>(x.view(), expected.view());
      expect_near(y.view(), expected.view(), 2e-6F);
      y.expect_guards();
      TestRows dy(rows, cols, misalign, 3), dx(rows, cols, misalign, 4), edx(rows, cols, 0, 4);
      log_softmax_backward(y.view(), dy.view(), dx.view());
      plain::log_softmax_backward<float>(y.view(), dy.view(), edx.view());
      expect_near(dx.view(), edx.view(), 5e-6F);
      dx.expect_guards();
    });
  });
}

}  // namespace
}  // namespace fovea::kernels
