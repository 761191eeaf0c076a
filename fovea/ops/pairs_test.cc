#include "fovea/ops/pairs.h"

#include <gtest/gtest.h>

#include "fovea/autograd/backward.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/linear.h"
#include "fovea/ops/op_samples.h"
#include "fovea/ops/rows.h"

namespace fovea {
namespace {

std::vector<Dim> keys_of(const Pairs& pairs, Dim query) {
  std::vector<Dim> keys;
  for (Dim p = pairs.of_query.begin(query); p < pairs.of_query.end(query); ++p) {
    EXPECT_EQ(pairs.query.data<std::int32_t>()[p], query);
    keys.push_back(pairs.key.data<std::int32_t>()[p]);
  }
  return keys;
}

TEST(Pairs, AreWhatIsInReach) {
  const Segments q = Segments::of_lengths({2, 3}), k = Segments::of_lengths({3, 3});
  using Keys = std::vector<Dim>;
  EXPECT_EQ(keys_of(pairs_in_reach(q, k), 1), (Keys{0, 1, 2}));
  const Pairs causal = pairs_in_reach(q, k, {.causal = true});
  EXPECT_EQ(keys_of(causal, 0), (Keys{0, 1}))
      << "the first of two queries stands at the second place";
  EXPECT_EQ(keys_of(causal, 2), (Keys{3}));
  const Pairs window = pairs_in_reach(q, k, {.window = 1});
  EXPECT_EQ(keys_of(window, 2), (Keys{3, 4}));
  EXPECT_EQ(keys_of(window, 3), (Keys{3, 4, 5}));
  EXPECT_EQ(window.distance.data<std::int32_t>()[window.of_query.begin(3)], -1);
}

TEST(Pairs, MayBeNone) {
  const Pairs none = pairs_in_reach(Segments::of_lengths({2}), Segments::of_lengths({0}));
  EXPECT_EQ(none.count(), 0);
  const Var read = pair_read(Tensor::zeros({0, 1}), Tensor::zeros({0, 3}), none);
  EXPECT_TRUE(identical(read.value(), Tensor::zeros({2, 3})));
  EXPECT_THROW(pairs_in_reach(Segments::of_lengths({2}), Segments()), Error);
}

// The score without a row for each pair against the one that makes them.
TEST(Pairs, AdditiveScoresAreThoseOfGatheredRows) {
  const Pairs pairs = pairs_in_reach(Segments::of_lengths({2, 3}), Segments::of_lengths({4, 3}));
  const auto make = [](Shape shape, std::uint64_t seed) {
    return Var::parameter(normal_sample(shape, seed));
  };
  const Var q = make({5, 7}, 1), k = make({7, 7}, 2), v = make({1, 7}, 3);
  const Var fused = pair_additive(q, k, v, pairs);
  const Var gathered = linear(tanh(add(gather_rows(q, pairs.query), gather_rows(k, pairs.key))), v);
  const Tensor seed = normal_sample(fused.shape(), 4);
  const auto expect_near = [](const Tensor& a, const Tensor& b) {
    ASSERT_EQ(a.shape(), b.shape());
    for (Dim i = 0; i < a.size(); ++i) {
      ASSERT_NEAR(a.data<double>()[i], b.data<double>()[i], 1e-13) << i;
    }
  };
  expect_near(fused.value(), gathered.value());
  const Gradients a = backward(fused, {.seed = seed}), b = backward(gathered, {.seed = seed});
  for (const Var& x : {q, k, v}) expect_near(a[x], b[x]);
}

TEST(Pairs, GoByTheirKeysAndBack) {
  // Keys 0, 1, 2 of the first sequence have two queries each, key 3 of the second has one.
  const Pairs pairs = pairs_in_reach(Segments::of_lengths({2, 1}), Segments::of_lengths({3, 1}));
  const PairsByKey by = pairs_by_key(pairs);
  const std::vector<std::int32_t> order(by.order.span<std::int32_t>().begin(),
                                        by.order.span<std::int32_t>().end());
  EXPECT_EQ(order, (std::vector<std::int32_t>{0, 3, 1, 4, 2, 5, 6}));
  EXPECT_EQ(by.of_key.count(), 4);
  EXPECT_EQ(by.of_key.length(1), 2);
  EXPECT_EQ(by.of_key.length(3), 1);
  const Tensor x = normal_sample({7, 2}, 1);
  EXPECT_TRUE(identical(gather_rows(gather_rows(x, by.order), by.place).value(), x));
  EXPECT_EQ(pairs_by_key(pairs_in_reach({}, {})).of_key.count(), 0);
}

TEST(Pairs, RefuseWhatDoesNotFit) {
  const Pairs pairs = pairs_in_reach(Segments::of_lengths({2}), Segments::of_lengths({3}));
  EXPECT_THROW(pair_dot(Tensor::zeros({2, 4}), Tensor::zeros({2, 4}), pairs, 2), Error);
  EXPECT_THROW(pair_dot(Tensor::zeros({2, 4}), Tensor::zeros({3, 4}), pairs, 3), Error);
  EXPECT_THROW(pair_read(Tensor::zeros({5, 2}), Tensor::zeros({3, 4}), pairs), Error);
  EXPECT_THROW(pair_read(Tensor::zeros({6, 3}), Tensor::zeros({3, 4}), pairs), Error);
  const Var q = Tensor::zeros({2, 4}), k = Tensor::zeros({3, 4});
  EXPECT_THROW(pair_additive(q, k, Tensor::zeros({3}), pairs), Error);
  EXPECT_THROW(pair_additive(k, q, Tensor::zeros({4}), pairs), Error);
  EXPECT_THROW(pair_additive(q, k, Tensor::zeros({4}, DType::f64), pairs), Error);
}

}  // namespace
}  // namespace fovea
