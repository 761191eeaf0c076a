#include "fovea/decode/rerank.h"

#include <gtest/gtest.h>

#include "fovea/decode/score.h"

namespace fovea {
namespace {

/// Of `ids` and the end, with log p = log_probability.
Hypothesis text(const Ids& ids, double log_probability, bool finished = true) {
  Hypothesis result{.ids = ids, .log_probability = log_probability, .finished = finished};
  result.token_log_probabilities.resize(ids.size() + (finished ? 1 : 0));
  result.score = normalised(log_probability, result.length(), 1);
  return result;
}

std::vector<Ids> order(std::vector<Hypothesis> hypotheses, const std::vector<double>& second,
                       double weight) {
  rerank(hypotheses, second, weight, 1);
  std::vector<Ids> result;
  for (const Hypothesis& h : hypotheses) result.push_back(h.ids);
  return result;
}

TEST(Rerank, WeighsBothOpinions) {
  const std::vector<Hypothesis> list = {text({1}, -1), text({2}, -2), text({3}, -4)};
  const std::vector<double> second = {-9, -2, -1};
  EXPECT_EQ(order(list, second, 0), (std::vector<Ids>{{1}, {2}, {3}}));
  EXPECT_EQ(order(list, second, 0.5), (std::vector<Ids>{{2}, {3}, {1}}));
  EXPECT_EQ(order(list, second, 1), (std::vector<Ids>{{3}, {2}, {1}}));
  EXPECT_EQ(order({list[0], list[0]}, {-1, -1}, 0.5), (std::vector<Ids>{{1}, {1}}));
  EXPECT_TRUE(order({}, {}, 0.5).empty());
}

TEST(Rerank, NormalisesBothByTheSameLength) {
  std::vector<Hypothesis> list = {text({1, 2, 3}, -6), text({4}, -5)};
  rerank(list, std::vector<double>{-6, -5}, 0.3, 1);
  EXPECT_NEAR(list[0].score, -6.0 / (9.0 / 6), 1e-12);
  EXPECT_NEAR(list[1].score, -5.0 / (7.0 / 6), 1e-12);
}

TEST(Rerank, KeepsTheUnfinishedLast) {
  const std::vector<Hypothesis> list = {text({1}, -5), text({2, 2}, -1, false)};
  EXPECT_EQ(order(list, {-5, 0}, 0.5), (std::vector<Ids>{{1}, {2, 2}}));
}

TEST(Rerank, RefusesWhatDoesNotFit) {
  std::vector<Hypothesis> list = {text({1}, -5)};
  EXPECT_THROW(rerank(list, {}, 0.5, 1), Error);
  EXPECT_THROW(rerank(list, std::vector<double>{-1}, 2, 1), Error);
}

}  // namespace
}  // namespace fovea
