#include "fovea/base/rng.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fovea {
namespace {

// Known answers of the Random123 distribution (kat_vectors, philox4x32 10).
TEST(Philox, KnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}),
            (std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (std::array<std::uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (std::array<std::uint32_t, 4>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Draws, AreTheSameWhenDrawnAgain) {
  Rng rng{.seed = 7};
  const Draws first = rng.next();
  const Draws second = rng.next();
  EXPECT_EQ(first.bits(5), first.bits(5));
  EXPECT_NE(first.bits(5), second.bits(5));
  Rng resumed{.seed = 7, .next_site = 1};
  EXPECT_EQ(resumed.next().bits(5), second.bits(5));
}

TEST(Draws, HaveTheRightMoments) {
  const Draws draws{.seed = 1, .site = 2};
  constexpr int count = 100000;
  double sum = 0, square = 0, normal_sum = 0, normal_square = 0;
  int below_three[3] = {};
  for (int i = 0; i < count; ++i) {
    const double u = draws.uniform(i), n = draws.normal(i);
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u, square += u * u, normal_sum += n, normal_square += n * n;
    ++below_three[draws.below(i, 3)];
  }
  EXPECT_NEAR(sum / count, 0.5, 0.005);
  EXPECT_NEAR(square / count, 1.0 / 3, 0.005);
  EXPECT_NEAR(normal_sum / count, 0, 0.015);
  EXPECT_NEAR(normal_square / count, 1, 0.02);
  for (int n : below_three) EXPECT_NEAR(n, count / 3.0, 600);
}

}  // namespace
}  // namespace fovea
