#include "fovea/attention/multi_head.h"

#include <gtest/gtest.h>

#include "fovea/attention/cache.h"
#include "fovea/attention/ordinary.h"
#include "fovea/attention/probe.h"
#include "fovea/attention/relation.h"
#include "fovea/attention/score.h"
#include "fovea/autograd/backward.h"
#include "fovea/autograd/gradient_check.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/op_samples.h"
#include "fovea/ops/reduce.h"

namespace fovea {
namespace {

void expect_near(const Tensor& a, const Tensor& b, double tolerance) {
  ASSERT_EQ(a.shape(), b.shape());
  const Tensor x = a.to(DType::f64), y = b.to(DType::f64);
  for (Dim i = 0; i < x.size(); ++i)
    ASSERT_NEAR(x.data<double>()[i], y.data<double>()[i], tolerance) << i;
}

struct Case {
  std::string label;
  AttendConfig config;
  bool bias = false;
  bool relation = false;
};

class Paths : public ::testing::TestWithParam<Case> {};

// The fused kernel in f32 and in f64 against scores, softmax and sums on ordinary ops: values, all
// gradients, captured weights.
TEST_P(Paths, FusedEqualsOrdinary) {
  const Case& c = GetParam();
  const Segments queries = Segments::of_lengths({3, 0, 9, 2}),
                 keys = Segments::of_lengths({5, 2, 9, 0});
  for (DType dtype : {DType::f64, DType::f32}) {
    const auto make = [&](Shape shape, std::uint64_t seed) {
      return Var::parameter(normal_sample(shape, seed).to(dtype));
    };
    const Var q = make({14, 12}, 1), k = make({16, 12}, 2), v = make({16, 12}, 3);
    const Var bias = c.bias ? make({3, 7}, 4) : Var();
    const Var key_relation = c.relation ? make({5, 4}, 6) : Var();
    const Var value_relation = c.relation ? make({5, 4}, 7) : Var();
    const Tensor seed = normal_sample({14, 12}, 5).to(dtype);
    Probe fused_probe, ordinary_probe;

    const Var fused = fused_probe.watch("layer", 3, queries, keys, [&](AttendCapture* capture) {
      AttendConfig with = c.config;
      with.capture = capture;
      return attend(q, k, v, queries, keys, with, {bias, key_relation, value_relation});
    });
    const Pairs pairs =
        pairs_in_reach(queries, keys, {.causal = c.config.causal, .window = c.config.window});
    Var scores = c.relation ? relation_score(q, k, key_relation, pairs, 3)
                            : scaled_dot_score(q, k, pairs, 3);
    if (c.bias) scores = add(scores, distance_bias(bias, pairs));
    const Var weights = allocate_pairs(scores, pairs, queries, keys, {.layer = "layer"},
                                       {.probe = &ordinary_probe});
    const Var ordinary = c.relation ? relation_read(weights, v, value_relation, pairs)
                                    : pair_read(weights, v, pairs);

    const double tolerance = dtype == DType::f64 ? 1e-12 : 2e-6;
    expect_near(fused.value(), ordinary.value(), tolerance);
    expect_near(fused_probe.find("layer")->weights, ordinary_probe.find("layer")->weights,
                tolerance);
    const Gradients a = backward(fused, {.seed = seed}), b = backward(ordinary, {.seed = seed});
    for (const Var& x : {q, k, v, bias, key_relation, value_relation}) {
      if (x.defined()) expect_near(a[x], b[x], 5 * tolerance);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Reaches, Paths,
    ::testing::Values(Case{"whole", {.heads = 3}}, Case{"causal", {.heads = 3, .causal = true}},
                      Case{"window", {.heads = 3, .window = 2}, true},
                      Case{"both", {.heads = 3, .causal = true, .window = 1}},
                      Case{"bias", {.heads = 3}, true}, Case{"relation", {.heads = 3}, false, true},
                      Case{"all", {.heads = 3, .causal = true, .window = 4}, true, true}),
    [](const auto& info) { return info.param.label; });

TEST(Scores, OfLuongAndBahdanauHaveRightGradients) {
  const Segments queries = Segments::of_lengths({2, 3}), keys = Segments::of_lengths({4, 3});
  const Pairs pairs = pairs_in_reach(queries, keys);
  Params params(1, DType::f64);
  const GeneralScore general(params.scope() / "general", 3, 4);
  const AdditiveScore additive(params.scope() / "additive", 3, 4, 5);
  const std::vector<Tensor> inputs = {normal_sample({5, 3}, 1), normal_sample({7, 4}, 2)};
  const auto with = [&](const auto& score) {
    return [&](const std::vector<Var>& in) {
      return attend_pairs(score(in[0], in[1], pairs), in[1], pairs, queries, keys, {}, {});
    };
  };
  EXPECT_LT(check_gradients(with(general), inputs).worst, 1e-7);
  EXPECT_LT(check_gradients(with(additive), inputs).worst, 1e-7);
}

AttentionConfig small() { return {.width = 16, .heads = 4}; }

// Rows of one sequence, given one or two at a time to a cache, against the whole.
void expect_cached_equals_whole(const AttentionConfig& config) {
  Params params(3);
  const SelfAttention attention(params.scope() / "self", config);
  const Segments whole = Segments::of_lengths({6});
  const Tensor x = normal_sample({6, 16}, 1).to(DType::f32);
  NoTape off;
  Probe whole_probe, step_probe;
  const Tensor expected = attention(x, whole, {.probe = &whole_probe}).value();
  Cache cache(1);
  for (Dim begin : {0, 2, 3, 4, 5}) {
    const Dim end = begin == 0 ? 2 : begin + 1;
    const Tensor y = attention(x.slice(begin, end), Segments::of_lengths({end - begin}),
                               {.cache = &cache, .probe = &step_probe})
                         .value();
    expect_near(y, expected.slice(begin, end), 1e-6);
  }
  const Tensor last = step_probe.find("self")->matrix(0, 2);
  expect_near(last, whole_probe.find("self")->matrix(0, 2).slice(5, 6), 1e-6);
}

TEST(SelfAttention, CachedEqualsWhole) {
  AttentionConfig config = small();
  config.causal = true;
  expect_cached_equals_whole(config);
  config.kv_heads = 2;
  config.rope.emplace();
  expect_cached_equals_whole(config);
  config.distance = DistanceBias::alibi;
  expect_cached_equals_whole(config);
  config.distance = DistanceBias::learned;
  config.reach = 2;
  config.window = 3;
  expect_cached_equals_whole(config);
  config.distance = DistanceBias::relation;
  expect_cached_equals_whole(config);
}

/// The loss of a small step down from each of `steps` batches: rows of noise with one of four
/// letters each are to give the letter two rows before, which content does not tell.
double loss_of_looking_two_back(DistanceBias distance, int steps) {
  const Segments segments = Segments::of_lengths({9, 14, 7});
  Params params(5);
  const SelfAttention attention(params.scope(),
                                {.width = 16, .heads = 2, .distance = distance, .reach = 4});
  double last = 0;
  for (int step = 0; step < steps; ++step) {
    Tensor x =
        normal_sample({segments.rows(), 16}, static_cast<std::uint64_t>(step), 0.3).to(DType::f32);
    Tensor wanted = Tensor::zeros({segments.rows(), 16});
    const Draws letters{.seed = static_cast<std::uint64_t>(step), .site = 7};
    for (Dim s = 0; s < segments.count(); ++s) {
      for (Dim r = segments.begin(s); r < segments.end(s); ++r) {
        const Dim letter = letters.bits(static_cast<std::uint64_t>(r)) % 4;
        x.mutable_view<float>()[r][letter] += 2;
        if (r + 2 < segments.end(s)) wanted.mutable_view<float>()[r + 2][letter] = 1;
      }
    }
    const Var error = sub(attention(x, segments, {}), wanted);
    const Var loss = scale(sum(mul(error, error)), 1.0 / static_cast<double>(segments.rows()));
    last = loss.item();
    const Gradients gradients = backward(loss);
    for (Parameter& p : params.all()) {
      const Tensor g = gradients[p.var];
      for (Dim i = 0; i < g.size(); ++i) {
        p.var.mutable_value().mutable_data<float>()[i] -= 0.1F * g.data<float>()[i];
      }
    }
  }
  return last;
}

TEST(SelfAttention, RelationsLearnToLookTwoBack) {
  EXPECT_LT(loss_of_looking_two_back(DistanceBias::relation, 1000), 0.15);
  EXPECT_GT(loss_of_looking_two_back(DistanceBias::none, 1000), 0.45);
}

TEST(SelfAttention, BeamsContinueWhatTheyCameFrom) {
  AttentionConfig config = small();
  config.causal = true;
  Params params(3);
  const SelfAttention attention(params.scope() / "self", config);
  const Tensor x = normal_sample({6, 16}, 1).to(DType::f32);  // sequence 0: rows 0-2, 1: rows 3-5
  NoTape off;
  const Tensor expected = attention(x, Segments::uniform(2, 3), {}).value();
  Cache cache(2);
  Tensor first = Tensor::empty({4, 16});
  for (Dim s = 0; s < 2; ++s) {
    std::copy_n(x.view<float>()[3 * s], 32, first.mutable_view<float>()[2 * s]);
  }
  attention(first, Segments::uniform(2, 2), {.cache = &cache});
  const Dim from[] = {1, 0};
  cache.select(from);
  Tensor second = Tensor::empty({2, 16});
  for (Dim s = 0; s < 2; ++s) {
    std::copy_n(x.view<float>()[3 * (1 - s) + 2], 16, second.mutable_view<float>()[s]);
  }
  const Tensor y = attention(second, Segments::uniform(2, 1), {.cache = &cache}).value();
  expect_near(y.slice(0, 1), expected.slice(5, 6), 1e-6);
  expect_near(y.slice(1, 2), expected.slice(2, 3), 1e-6);
}

TEST(SelfAttention, RefusesToTrainThroughACache) {
  Params params(3);
  const SelfAttention attention(params.scope() / "self", small());
  Cache cache(1);
  EXPECT_THROW(attention(Tensor::zeros({1, 16}), Segments::of_lengths({1}), {.cache = &cache}),
               Error);
  EXPECT_THROW(SelfAttention(params.scope() / "a", {.width = 10, .heads = 3}), Error);
  EXPECT_THROW(SelfAttention(params.scope() / "b", {.width = 12, .heads = 3, .kv_heads = 2}),
               Error);
  EXPECT_THROW(CrossAttention(params.scope() / "c",
                              {.width = 12, .heads = 3, .distance = DistanceBias::alibi}),
               Error);
}

TEST(Alibi, HasTheSlopesOfItsPaper) {
  const Tensor eight = alibi_bias(8, 3);
  EXPECT_EQ(eight.view<float>()[0][2], -0.5F);
  EXPECT_EQ(eight.view<float>()[7][3 + 2], -2.0F / 256);
  EXPECT_EQ(eight.view<float>()[3][3], 0);
  EXPECT_FLOAT_EQ(alibi_bias(12, 1).view<float>()[8][0], -0.70710678F) << "the first of sixteen";
}

}  // namespace
}  // namespace fovea
