#include "fovea/train/schedule.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/error_testing.h"

namespace fovea {
namespace {

double rate(const ScheduleConfig& config, Dim step, Dim total = 0) {
  return learning_rate(config, {.step = step, .total = total});
}

TEST(Schedule, NoamIsThatOfThePaper) {
  const ScheduleConfig config{.kind = ScheduleKind::noam, .warmup = 4000, .width = 512};
  EXPECT_NEAR(rate(config, 1), std::pow(512, -0.5) * std::pow(4000, -1.5), 1e-15);
  EXPECT_NEAR(rate(config, 4000), 6.98771e-4, 1e-9);
  EXPECT_NEAR(rate(config, 16000), 6.98771e-4 / 2, 1e-9);
  EXPECT_EQ(kind_thrown_by([] { check(ScheduleConfig{.width = -1}); }),
            ErrorKind::bad_setting);
}

TEST(Schedule, InverseSquareRootIsHighestAfterTheWarmup) {
  const ScheduleConfig config{.rate = 0.2, .warmup = 100};
  EXPECT_NEAR(rate(config, 1), 0.002, 1e-15);
  EXPECT_NEAR(rate(config, 100), 0.2, 1e-15);
  EXPECT_NEAR(rate(config, 400), 0.1, 1e-15);
}

TEST(Schedule, CosineAndLinearFallToTheLowest) {
  ScheduleConfig config{.kind = ScheduleKind::cosine, .rate = 0.3, .warmup = 10, .lowest = 0.1};
  EXPECT_NEAR(rate(config, 5, 110), 0.15, 1e-15);
  EXPECT_NEAR(rate(config, 10, 110), 0.3, 1e-15);
  EXPECT_NEAR(rate(config, 60, 110), 0.2, 1e-15);
  EXPECT_NEAR(rate(config, 35, 110), 0.1 + 0.2 * (1 + std::sqrt(0.5)) / 2, 1e-15);
  EXPECT_NEAR(rate(config, 110, 110), 0.1, 1e-15);
  config.kind = ScheduleKind::linear;
  EXPECT_NEAR(rate(config, 35, 110), 0.25, 1e-15);
  EXPECT_NEAR(rate(config, 110, 110), 0.1, 1e-15);
  EXPECT_NEAR(rate(config, 200, 110), 0.1, 1e-15);
}

TEST(Schedule, FallsTowardsWhatWillEndTheRunFirst) {
  const ScheduleConfig config{.kind = ScheduleKind::linear, .rate = 0.4, .warmup = 0};
  EXPECT_NEAR(learning_rate(config, {.step = 77, .time_part = 0.25}), 0.3, 1e-15);
  EXPECT_NEAR(learning_rate(config, {.step = 10, .total = 100, .time_part = 0.25}), 0.3, 1e-15);
  EXPECT_NEAR(learning_rate(config, {.step = 50, .total = 100, .time_part = 0.25}), 0.2, 1e-15);
}

TEST(Schedule, PlateauFallsWhenNothingGetsBetter) {
  const ScheduleConfig config{.kind = ScheduleKind::plateau, .rate = 0.4, .warmup = 2};
  PlateauState state;
  std::vector<double> rates;
  for (const bool better : {true, false, true, false, false, false, false}) {
    state.see(better, config);
    rates.push_back(learning_rate(config, {.step = 9}, state));
  }
  EXPECT_EQ(rates, (std::vector<double>{0.4, 0.4, 0.4, 0.4, 0.2, 0.2, 0.1}));
  EXPECT_EQ(learning_rate(config, {.step = 1}, state), 0.05);
}

TEST(Schedule, ConstantHasAWarmupToo) {
  const ScheduleConfig config{.kind = ScheduleKind::constant, .rate = 0.4, .warmup = 4};
  EXPECT_EQ(rate(config, 1), 0.1);
  EXPECT_EQ(rate(config, 4), 0.4);
  EXPECT_EQ(rate(config, 1000), 0.4);
}

}  // namespace
}  // namespace fovea
