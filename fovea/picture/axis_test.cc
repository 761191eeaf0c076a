#include "fovea/picture/axis.h"

#include <gtest/gtest.h>

#include "fovea/base/check.h"

namespace fovea {
namespace {

std::vector<std::string> labels(double low, double high, Scale scale = Scale::linear) {
  std::vector<std::string> out;
  const Axis axis(low, high, scale, 0, 1);
  for (const Tick& tick : axis.ticks()) out.push_back(tick.label);
  return out;
}
using Labels = std::vector<std::string>;

TEST(Axis, NamesRoundNumbers) {
  EXPECT_EQ(labels(0, 6), (Labels{"0", "1", "2", "3", "4", "5", "6"}));
  EXPECT_EQ(labels(1.93, 9.7), (Labels{"0", "2", "4", "6", "8", "10"}));
  EXPECT_EQ(labels(0, 100000), (Labels{"0", "20k", "40k", "60k", "80k", "100k"}));
  EXPECT_EQ(labels(-0.1, 0.12), (Labels{"-0.1", "-0.05", "0", "0.05", "0.1", "0.15"}));
  EXPECT_EQ(labels(1, 1000, Scale::logarithmic), (Labels{"1", "10", "100", "1000"}));
  EXPECT_EQ(labels(2, 60, Scale::logarithmic), (Labels{"2", "5", "10", "20", "50"}));
}

TEST(Axis, NamesAFewNumbersWhateverTheSpan) {
  for (const double low : {1e-8, 0.3, 1.0, 7e5}) {
    for (const double factor : {1.0, 1.0000001, 1.2, 3.0, 50.0, 1e4, 1e30}) {
      for (const Scale scale : {Scale::linear, Scale::logarithmic}) {
        const auto count = labels(low, low * factor, scale).size();
        EXPECT_GE(count, 2u) << low << " " << factor;
        EXPECT_LE(count, 16u) << low << " " << factor;
      }
    }
  }
}

TEST(Axis, PlacesValues) {
  const Axis linear(0, 10, Scale::linear, 100, 0);
  EXPECT_DOUBLE_EQ(linear.place(0), 100);
  EXPECT_DOUBLE_EQ(linear.place(5), 50);
  EXPECT_NEAR(Axis(1, 100, Scale::logarithmic, 0, 10).place(10), 5, 1e-12);
  EXPECT_DOUBLE_EQ(Axis(3, 3, Scale::linear, 0, 10).place(3), 5);
  EXPECT_THROW(Axis(0, 1, Scale::logarithmic, 0, 1), Error);
  EXPECT_THROW(Axis(2, 1, Scale::linear, 0, 1), Error);
}

}  // namespace
}  // namespace fovea
