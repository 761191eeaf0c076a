#include "fovea/kernels/top.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/kernels/kernel_testing.h"
#include "fovea/kernels/top_plain.h"

namespace fovea::kernels {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

void expect_twin(const float* x, Dim count, Dim n) {
  const auto size = static_cast<std::size_t>(n);
  std::vector<float> values(size + 1, TestRows::kGuard), expected_values(size);
  std::vector<std::int32_t> where(size + 1, 99), expected_where(size);
  top(x, count, n, values.data(), where.data());
  plain::top(x, count, n, expected_values.data(), expected_where.data());
  EXPECT_EQ(values.back(), TestRows::kGuard);
  EXPECT_EQ(where.back(), 99);
  values.pop_back();
  where.pop_back();
  EXPECT_EQ(values, expected_values);
  EXPECT_EQ(where, expected_where);
}

TEST(Top, EqualsItsTwinOnEveryTarget) {
  for_each_target([] {
    for_each_shape(4, [](Dim rows, Dim cols, Dim misalign) {
      TestRows x(rows, cols, misalign, 1);
      for (Dim c = 0; c < cols; ++c) {
        x.view()[1][c] = std::round(x.view()[1][c]);  // many are equal
        if (c % 3 != 0) x.view()[2][c] = -kInfinity;
        if (c % 5 == 0) x.view()[3][c] = std::nanf("");
      }
      for (Dim r = 0; r < rows; ++r) {
        for (const Dim n : {0, 1, 2, 8, 70}) expect_twin(x.view()[r], cols, n);
      }
      for (Dim r = 0; cols > 0 && r < 3; ++r) {
        EXPECT_NEAR(log_sum_exp(x.view()[r], cols), plain::log_sum_exp(x.view()[r], cols), 2e-6);
      }
    });
  });
}

TEST(Top, ManyColumns) {
  for_each_target([] {
    TestRows x(1, 5003, 1, 1);
    expect_twin(x.view()[0], 5003, 8);
    std::sort(x.view()[0], x.view()[0] + 5003);  // each is the largest so far
    expect_twin(x.view()[0], 5003, 8);
  });
}

TEST(LogSumExp, TellsWhatIsNotFinite) {
  for_each_target([] {
    for (Dim cols = 1; cols <= 67; ++cols) {
      for (Dim at = 0; at < cols; ++at) {
        TestRows x(1, cols, 0, 1);
        x.view()[0][at] = std::nanf("");
        EXPECT_FALSE(std::isfinite(log_sum_exp(x.view()[0], cols)));
        x.view()[0][at] = kInfinity;
        EXPECT_FALSE(std::isfinite(log_sum_exp(x.view()[0], cols)));
      }
      const std::vector<float> none(static_cast<std::size_t>(cols), -kInfinity);
      EXPECT_FALSE(std::isfinite(log_sum_exp(none.data(), cols)));
    }
    EXPECT_FALSE(std::isfinite(log_sum_exp(nullptr, 0)));
  });
}

TEST(LogSumExp, HoldsForLargeLogits) {
  for_each_target([] {
    const std::vector<float> x = {1000, 1000, -1000};
    EXPECT_NEAR(log_sum_exp(x.data(), 3), 1000 + std::log(2.0F), 1e-4);
  });
}

}  // namespace
}  // namespace fovea::kernels
