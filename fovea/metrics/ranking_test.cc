#include "fovea/metrics/ranking.h"

#include <gtest/gtest.h>

#include "fovea/base/check.h"

namespace fovea {
namespace {

TEST(Ranking, GivesMapAndMrr) {
  RankingScores scores;
  const std::vector<float> one = {0.1F, 0.9F, 0.5F, 0.7F};
  scores.add(one, {false, false, true, true});  // ranks 3 and 2: (1/2 + 2/3) / 2, 1/2
  EXPECT_DOUBLE_EQ(scores.map(), 7.0 / 12);
  EXPECT_DOUBLE_EQ(scores.mrr(), 0.5);
  const std::vector<float> two = {0.3F, 0.2F};
  scores.add(two, {true, false});  // 1, 1
  EXPECT_DOUBLE_EQ(scores.map(), 19.0 / 24);
  EXPECT_DOUBLE_EQ(scores.mrr(), 0.75);
  scores.add(two, {false, false});
  EXPECT_DOUBLE_EQ(scores.map(), 19.0 / 24);
  EXPECT_EQ(scores.counted(), 2);
  EXPECT_EQ(scores.left_out(), 1);
}

TEST(Ranking, OfEqualsTheFirstStandsFirst) {
  const std::vector<float> equal = {0.5F, 0.5F, 0.5F};
  EXPECT_EQ(ranked(equal), (std::vector<std::size_t>{0, 1, 2}));
  RankingScores scores;
  EXPECT_EQ(scores.map(), 0);
  scores.add(equal, {false, true, false});
  EXPECT_DOUBLE_EQ(scores.mrr(), 0.5);
  EXPECT_THROW(scores.add(equal, {true}), Error);
}

}  // namespace
}  // namespace fovea
