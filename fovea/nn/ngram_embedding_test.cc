#include "fovea/nn/ngram_embedding.h"

#include <gtest/gtest.h>

#include "fovea/autograd/backward.h"
#include "fovea/ops/reduce.h"

namespace fovea {
namespace {

TEST(NgramEmbedding, EqualWindowsHaveEqualVectors) {
  Params params(1);
  const NgramEmbedding grams(params.scope(), {3}, 4096, 8);
  const std::vector<Ids> rows = {{5, 6, 7, 8}, {9, 6, 7, 8}, {6, 7}, {}};
  const Tensor y = grams(joined(rows)).value();
  const auto same = [&](Dim a, Dim b) {
    return identical(y.slice(a, a + 1).clone(), y.slice(b, b + 1).clone());
  };
  EXPECT_TRUE(same(2, 6));   // 6 7 8 in both
  EXPECT_TRUE(same(3, 7));   // 7 8, the end
  EXPECT_FALSE(same(1, 5));  // 5 6 7 and 9 6 7
  EXPECT_FALSE(same(2, 9));  // 6 7 8 and 6 7, the end: a window ends with its sequence
}

TEST(NgramEmbedding, OrdersAddUp) {
  Params params(1);
  const NgramEmbedding both(params.scope(), {2, 5}, 64, 4);
  const std::vector<Ids> rows = {{3, 4, 5}};
  const Tensor y = both(joined(rows)).value();
  Params again(1);
  const NgramEmbedding two(again.scope(), {2}, 64, 4), five(again.scope(), {5}, 64, 4);
  const Tensor a = two(joined(rows)).value(), b = five(joined(rows)).value();
  for (Dim i = 0; i < y.size(); ++i) {
    EXPECT_EQ(y.data<float>()[i], a.data<float>()[i] + b.data<float>()[i]);
  }
}

TEST(NgramEmbedding, LeavesOutWholeRuns) {
  Params params(1);
  const NgramEmbedding grams(params.scope(), {3}, 64, 4);
  const Sequences rows = joined(std::vector<Ids>{Ids(200, 7)});
  Rng rng(3);
  const Tensor all = grams(rows).value(), some = grams(rows, 0.5, &rng).value();
  Dim left_out = 0;
  for (Dim r = 0; r < 200; ++r) {
    const bool gone = some.view<float>()[r][0] == 0;
    left_out += gone;
    for (Dim c = 0; c < 4; ++c) {
      EXPECT_EQ(some.view<float>()[r][c], gone ? 0 : 2 * all.view<float>()[r][c]);
    }
  }
  EXPECT_NEAR(static_cast<double>(left_out), 100, 30);
}

TEST(NgramEmbedding, Learns) {
  Params params(1);
  const NgramEmbedding grams(params.scope(), {3}, 16, 2);
  const std::vector<Ids> rows = {{3, 4, 5}};
  const Gradients g = backward(sum(grams(joined(rows))));
  const Tensor gradient = g[grams.tables[0].weight];
  double total = 0;
  for (const float one : gradient.span<float>()) total += one;
  EXPECT_EQ(total, 6);  // three rows of two columns, each a sum of its own
}

TEST(NgramEmbedding, RefusesWhatIsNoRun) {
  Params params(1);
  EXPECT_THROW(NgramEmbedding(params.scope(), {1}, 16, 2), Error);
  EXPECT_THROW(NgramEmbedding(params.scope(), {3}, 0, 2), Error);
}

}  // namespace
}  // namespace fovea
