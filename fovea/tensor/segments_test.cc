#include "fovea/tensor/segments.h"

#include <gtest/gtest.h>

namespace fovea {
namespace {

TEST(Segments, KnowTheirRows) {
  const Segments s = Segments::of_lengths({3, 0, 2});
  EXPECT_EQ(s.count(), 3);
  EXPECT_EQ(s.rows(), 5);
  EXPECT_EQ(s.begin(2), 3);
  EXPECT_EQ(s.length(1), 0);
  EXPECT_EQ(s.longest(), 3);
  const Dim offsets[] = {0, 3, 3, 5};
  EXPECT_EQ(s, Segments::of_offsets(offsets));
}

TEST(Segments, MayBeEmpty) {
  EXPECT_EQ(Segments().count(), 0);
  EXPECT_EQ(Segments().rows(), 0);
  EXPECT_EQ(Segments().longest(), 0);
  EXPECT_EQ(Segments::uniform(4, 0).rows(), 0);
}

TEST(Segments, RefuseWhatIsNoSequence) {
  EXPECT_THROW(Segments::of_lengths({3, -1}), Error);
  const Dim falling[] = {0, 3, 2};
  EXPECT_THROW(Segments::of_offsets(falling), Error);
  EXPECT_THROW(Segments::of_offsets({}), Error);
}

}  // namespace
}  // namespace fovea
