#include "fovea/inspect/attention_map.h"

#include <gtest/gtest.h>

namespace fovea {
namespace {

AttentionMap sample() {
  return {.title = "map",
          .queries = {"a", "b"},
          .keys = {"x", "y", "z"},
          .weights = Tensor::of<float>({2, 3}, {0.25f, 0.5f, 0.25f, 0.5f, 0.5f, 0})};
}

TEST(AttentionMap, AlignsToTheFirstOfTheLargest) {
  using Links = std::vector<std::pair<Dim, Dim>>;
  EXPECT_EQ(hard_alignment(sample()), (Links{{0, 1}, {1, 0}}));
  EXPECT_EQ(hard_alignment(sample(), 1), (Links{{0, 0}, {1, 0}}));
  AttentionMap blind = sample();
  blind.weights = Tensor::of<float>({2, 3}, {0, 0, 0, 0, 0, 1});
  EXPECT_EQ(hard_alignment(blind), (Links{{1, 2}}));
}

TEST(AttentionMap, RefusesNamesThatDoNotFit) {
  AttentionMap map = sample();
  map.keys.pop_back();
  EXPECT_THROW(hard_alignment(map), Error);
  EXPECT_THROW(AttentionMap{}.check(), Error);
}

}  // namespace
}  // namespace fovea
