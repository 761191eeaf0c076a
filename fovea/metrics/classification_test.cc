#include "fovea/metrics/classification.h"

#include <gtest/gtest.h>

#include "fovea/base/check.h"

namespace fovea {
namespace {

TEST(Confusion, CountsWhatIsRight) {
  Confusion confusion(3);
  for (const auto& [given, answered] :
       {std::pair(0, 0), {0, 0}, {0, 1}, {1, 1}, {1, 0}, {1, 1}, {1, 1}, {2, 0}}) {
    confusion.add(given, answered);
  }
  EXPECT_EQ(confusion.total(), 8);
  EXPECT_DOUBLE_EQ(confusion.accuracy(), 5.0 / 8);
  const ClassScore first = confusion.score(0);  // 2 right of 3, of 4 that were said to be
  EXPECT_DOUBLE_EQ(first.precision(), 0.5);
  EXPECT_DOUBLE_EQ(first.recall(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(first.f1(), 4.0 / 7);
  EXPECT_EQ(confusion.score(2).f1(), 0);  // never answered
  EXPECT_DOUBLE_EQ(confusion.macro_f1(), (4.0 / 7 + 6.0 / 8 + 0) / 3);
  EXPECT_THROW(confusion.add(3, 0), Error);
}

TEST(Confusion, AClassThatIsNeitherGivenNorAnsweredDoesNotCount) {
  Confusion confusion(3);
  confusion.add(0, 0);
  confusion.add(2, 2);
  EXPECT_EQ(confusion.macro_f1(), 1);
}

TEST(Confusion, OfNothingIsZero) {
  EXPECT_EQ(Confusion(2).accuracy(), 0);
  EXPECT_EQ(Confusion(2).macro_f1(), 0);
}

}  // namespace
}  // namespace fovea
