#include "fovea/kernels/softmax.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fovea/kernels/kernel_testing.h"
#include "fovea/kernels/softmax_plain.h"

namespace fovea::kernels {
namespace {

TEST(Softmax, EqualsItsTwinOnEveryTarget) {
  for_each_target([] {
    for (Dim cols = 0; cols <= 67; ++cols) {
      for (Dim misalign = 0; misalign < 4; ++misalign) {
        TestRows x(3, cols, misalign, 1), y(3, cols, misalign, 2), expected(3, cols, 0, 2);
        softmax(x.view(), y.view());
        plain::softmax<float>(x.view(), expected.view());
        expect_near(y.view(), expected.view(), 1e-6F);
        y.expect_guards();

        TestRows dy(3, cols, misalign, 3), dx(3, cols, misalign, 4), expected_dx(3, cols, 0, 4);
        softmax_backward(y.view(), dy.view(), dx.view());
        plain::softmax_backward<float>(y.view(), dy.view(), expected_dx.view());
        expect_near(dx.view(), expected_dx.view(), 1e-6F);
        dx.expect_guards();
      }
    }
  });
}

TEST(Softmax, NothingInReachGivesZeros) {
  for_each_target([] {
    TestRows x(1, 19, 0, 1), y(1, 19, 0, 2);
    for (Dim c = 0; c < 19; ++c) x.view()[0][c] = -std::numeric_limits<float>::infinity();
    softmax(x.view(), y.view());
    for (Dim c = 0; c < 19; ++c) EXPECT_EQ(y.view()[0][c], 0);
  });
}

TEST(Softmax, NaNBesideNothingInReachShows) {
  for_each_target([] {
    for (const Dim place : {0, 7, 18}) {
      TestRows x(1, 19, 0, 1), y(1, 19, 0, 2);
      for (Dim c = 0; c < 19; ++c) x.view()[0][c] = -std::numeric_limits<float>::infinity();
      x.view()[0][place] = std::numeric_limits<float>::quiet_NaN();
      softmax(x.view(), y.view());
      for (Dim c = 0; c < 19; ++c) EXPECT_TRUE(std::isnan(y.view()[0][c])) << place;
    }
  });
}

}  // namespace
}  // namespace fovea::kernels
