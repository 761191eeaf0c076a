#include "fovea/base/check.h"

#include <gtest/gtest.h>

namespace fovea {
namespace {

TEST(Check, HoldsAndSaysNothing) { EXPECT_NO_THROW(FOVEA_CHECK(1 + 1 == 2, "never seen")); }

TEST(Check, FailsWithItsMessage) {
  try {
    FOVEA_CHECK(false, "linear: expected ", 3, " columns, found ", 4);
    FAIL() << "did not throw";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "linear: expected 3 columns, found 4");
  }
}

TEST(Check, BuildsTheMessageOnlyWhenItFails) {
  int built = 0;
  auto part = [&] { return ++built; };
  FOVEA_CHECK(true, part());
  EXPECT_EQ(built, 0);
}

}  // namespace
}  // namespace fovea
