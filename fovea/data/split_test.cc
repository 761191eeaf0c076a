#include "fovea/data/split.h"

#include <gtest/gtest.h>

#include "fovea/data/data_testing.h"

namespace fovea {
namespace {

TEST(Split, HoldsOutTheSharesAskedFor) {
  int counts[3] = {};
  for (int i = 0; i < 100000; ++i) {
    ++counts[static_cast<int>(part_of(concat("sentence ", i), {.dev = 0.02, .test = 0.05}))];
  }
  EXPECT_NEAR(counts[1], 2000, 200);
  EXPECT_NEAR(counts[2], 5000, 300);
}

TEST(Split, OneShareDoesNotMoveTheOther) {
  for (int i = 0; i < 2000; ++i) {
    const std::string key = concat(i);
    EXPECT_EQ(part_of(key, {.dev = 0, .test = 0.1}) == Part::test,
              part_of(key, {.dev = 0.5, .test = 0.1}) == Part::test);
    EXPECT_EQ(part_of(key, {.dev = 0.1, .test = 0}) == Part::dev,
              part_of(key, {.dev = 0.1, .test = 0.5}) == Part::dev);
  }
}

// Whoever changes these moves everybody's test sets.
TEST(Split, StaysAsItIs) {
  std::string parts;
  for (int i = 0; i < 32; ++i) {
    parts += std::to_string(static_cast<int>(part_of(concat(i), {.dev = 0.3, .test = 0.3})));
  }
  EXPECT_EQ(parts, "10100011222100220121001200111102");
  EXPECT_EQ(part_of("", {.dev = 0, .test = 0}), Part::train);
}

TEST(Split, RefusesSharesThatAreNone) {
  EXPECT_THROW(part_of("a", {.dev = 0.6, .test = 0.6}), Error);
  EXPECT_THROW(part_of("a", {.dev = -0.1, .test = 0}), Error);
}

}  // namespace
}  // namespace fovea
