#include "fovea/inspect/attention_map.h"

#include <gtest/gtest.h>

#include "fovea/ops/op_samples.h"

namespace fovea {
namespace {

using Names = std::vector<std::string>;

AttentionMap sample() {
  return {.title = "map",
          .queries = {"a", "b"},
          .keys = {"x", "y", "z"},
          .weights = Tensor::of<float>({2, 3}, {0.25f, 0.5f, 0.25f, 0.5f, 0.5f, 0})};
}

// Two sequences, two heads; f64, as gradient checks would have it.
Probe watched(const ProbeConfig& config, const Segments& queries, const Segments& keys) {
  Probe probe(config);
  const Tensor q = normal_sample({queries.rows(), 8}, 1), k = normal_sample({keys.rows(), 8}, 2);
  probe.watch("decoder.3.cross", 2, queries, keys, [&](AttendCapture* capture) {
    return attend(q, k, k, queries, keys, {.heads = 2, .capture = capture});
  });
  return probe;
}

TEST(AttentionMap, ComesFromAProbe) {
  const Segments queries = Segments::of_lengths({1, 3}), keys = Segments::of_lengths({2, 4});
  const Probe probe = watched({}, queries, keys);
  const Names q = {"q0", "q1", "q2"}, k = {"k0", "k1", "k2", "k3"};
  const std::vector<AttentionMap> maps = maps_of(probe, 1, q, k);
  ASSERT_EQ(maps.size(), 2u);
  EXPECT_EQ(maps[1].title, "decoder.3.cross head 1");
  EXPECT_EQ(maps[1].queries, q);
  EXPECT_EQ(maps[1].keys, k);
  EXPECT_TRUE(identical(maps[1].weights, probe.records()[0].matrix(1, 1).to(DType::f32)));
  EXPECT_THROW(maps_of(probe, 0, q, k), Error) << "names of another sequence";
  EXPECT_THROW(maps_of(probe, 2, q, k), Error);

  const Probe last = watched({.heads = {1}, .first_query = -1}, queries, keys);
  const std::vector<AttentionMap> one = maps_of(last, 1, q, k);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].title, "decoder.3.cross head 1");
  EXPECT_EQ(one[0].queries, Names{"q2"});

  EXPECT_TRUE(maps_of(watched({.keep = Keep::received}, queries, keys), 1, q, k).empty());
}

TEST(AttentionMap, IsAveraged) {
  AttentionMap other = sample();
  other.weights = Tensor::of<float>({2, 3}, {0.75f, 0, 0.25f, 0, 0.5f, 0.5f});
  const AttentionMap both[] = {sample(), other};
  const AttentionMap mean = mean_of(both, "mean of heads");
  EXPECT_EQ(mean.title, "mean of heads");
  EXPECT_TRUE(
      identical(mean.weights, Tensor::of<float>({2, 3}, {0.5f, 0.25f, 0.25f, 0.25f, 0.5f, 0.25f})));
  EXPECT_EQ(mean.largest(), 0.5f);
  EXPECT_THROW(mean_of({}), Error);
  other.keys[0] = "w";
  const AttentionMap unlike[] = {sample(), other};
  EXPECT_THROW(mean_of(unlike), Error);
}

TEST(AttentionMap, MergesSubwords) {
  const AttentionMap words =
      merge(sample(), {.word = {0, 0}, .names = {"ab"}}, {.word = {0, 1, 1}, .names = {"x", "yz"}});
  EXPECT_EQ(words.queries, Names{"ab"});
  EXPECT_EQ(words.keys, (Names{"x", "yz"}));
  EXPECT_TRUE(identical(words.weights, Tensor::of<float>({1, 2}, {0.375f, 0.625f})));
  // Tokens of no word are left out; a word without tokens is a row of zeros.
  const AttentionMap some = merge(sample(), {.word = {1, -1}, .names = {"none", "a"}},
                                  {.word = {-1, 0, 0}, .names = {"yz"}});
  EXPECT_TRUE(identical(some.weights, Tensor::of<float>({2, 1}, {0, 0.75f})));
  EXPECT_THROW(merge(sample(), {.word = {0}, .names = {"a"}}, {{0, 0, 0}, {"x"}}), Error);
  EXPECT_THROW(merge(sample(), {.word = {0, 1}, .names = {"a"}}, {{0, 0, 0}, {"x"}}), Error);
}

TEST(AttentionMap, AlignsToTheFirstOfTheLargest) {
  using Links = std::vector<std::pair<Dim, Dim>>;
  EXPECT_EQ(hard_alignment(sample()), (Links{{0, 1}, {1, 0}}));
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
