#include "fovea/attention/mechanism.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/attention/reinforce.h"
#include "fovea/autograd/backward.h"
#include "fovea/autograd/gradient_check.h"
#include "fovea/ops/op_samples.h"
#include "fovea/ops/rows.h"

namespace fovea {
namespace {

/// Two sources of 5 and 3 rows; three rows look at the first, two at the second.
Askers some_askers() {
  return {.begin = {0, 0, 0, 5, 5},
          .length = {5, 5, 5, 3, 3},
          .place = {0, 1, 2, 0, 1},
          .sequences = Segments::of_lengths({3, 2})};
}

std::vector<MechanismConfig> soft_ones() {
  std::vector<MechanismConfig> all;
  for (const Score score : {Score::dot, Score::scaled_dot, Score::general, Score::concat,
                            Score::location, Score::location_aware}) {
    for (const ReachKind reach :
         {ReachKind::global, ReachKind::local_m, ReachKind::local_p, ReachKind::monotone}) {
      all.push_back({.score = score,
                     .reach = reach,
                     .window = 2,
                     .longest = 4,
                     .filters = 2,
                     .filter_width = 3});
    }
  }
  return all;
}

std::string label(const MechanismConfig& c) {
  return concat(names_of(c.score)[static_cast<std::size_t>(c.score)], " ",
                names_of(c.reach)[static_cast<std::size_t>(c.reach)]);
}

Tensor last_weights() {
  return Tensor::of<double>({21, 1}, {.1, .2, .4, .2, .1, .6, .1, .1, .1, .1, .2,
                                      .2, .2, .2, .2, .3, .3, .4, .1, .2, .7});
}

TEST(Mechanism, GradientsOfEveryScoreAndReach) {
  for (const MechanismConfig& c : soft_ones()) {
    Params params(3, DType::f64);
    const Mechanism mechanism(params.scope(), 4, 4, c);
    const GradientCheck check = check_gradients(
        [&](const std::vector<Var>& in) {
          return mechanism(in[0], mechanism.prepare(in[1]), some_askers(), in[2], {}).context;
        },
        {normal_sample({5, 4}, 1), normal_sample({8, 4}, 2), last_weights()});
    EXPECT_LT(check.worst, 1e-6) << label(c) << ": " << check.where;
  }
}

TEST(Mechanism, WeightsOfARowAddUpToOne) {
  for (const MechanismConfig& c : soft_ones()) {
    if (c.reach == ReachKind::local_p) continue;
    Params params(3, DType::f64);
    const Mechanism mechanism(params.scope(), 4, 4, c);
    const Look look = mechanism(normal_sample({5, 4}, 1),
                                mechanism.prepare(normal_sample({8, 4}, 2)), some_askers(), {}, {});
    for (Dim i = 0; i < 5; ++i) {
      double sum = 0;
      for (Dim p = look.pairs.of_query.begin(i); p < look.pairs.of_query.end(i); ++p) {
        sum += look.weights.value().data<double>()[p];
      }
      EXPECT_NEAR(sum, 1, 1e-12) << label(c);
    }
  }
}

TEST(Mechanism, LocalWindowsAreWhereTheyShouldBe) {
  Params params(3, DType::f64);
  const Mechanism local(params.scope() / "m", 4, 4,
                        {.score = Score::dot, .reach = ReachKind::local_m, .window = 1});
  const Var q = normal_sample({5, 4}, 1), memory = normal_sample({8, 4}, 2);
  const Pairs around = local(q, local.prepare(memory), some_askers(), {}, {}).pairs;
  const std::vector<std::int32_t> keys = {0, 1, 0, 1, 2, 1, 2, 3, 5, 6, 5, 6, 7};
  EXPECT_TRUE(identical(around.key, Tensor::from<std::int32_t>({13}, keys)));

  const Mechanism follows(params.scope() / "f", 4, 4,
                          {.score = Score::dot, .reach = ReachKind::monotone, .window = 0});
  const Pairs middles =
      follows(q, follows.prepare(memory), some_askers(), last_weights(), {}).pairs;
  const std::vector<std::int32_t> medians = {2, 0, 2, 6, 7};
  EXPECT_TRUE(identical(middles.key, Tensor::from<std::int32_t>({5}, medians)));
}

TEST(Mechanism, ALocalWindowOfNotANumberIsStillWithinTheSource) {
  Params params(3);
  const Mechanism local(params.scope() / "m", 4, 4,
                        {.score = Score::dot, .reach = ReachKind::local_p, .window = 1});
  const Var q(Tensor::full({5, 4}, std::nan(""), DType::f32));
  const Var memory(Tensor::full({8, 4}, 1, DType::f32));
  const auto found = local(q, local.prepare(memory), some_askers(), {}, {});
  for (const std::int32_t key : found.pairs.key.span<std::int32_t>()) {
    EXPECT_TRUE(key >= 0 && key < 8);
  }
}

// With a window over everything the Gaussian is flat.
TEST(Mechanism, WideLocalIsGlobal) {
  for (const Score score : {Score::dot, Score::general, Score::concat}) {
    const Var q = normal_sample({5, 4}, 1), memory = normal_sample({8, 4}, 2);
    const auto context = [&](ReachKind reach) {
      Params params(3, DType::f64);
      const Mechanism mechanism(params.scope(), 4, 4,
                                {.score = score, .reach = reach, .window = 100'000'000});
      return mechanism(q, mechanism.prepare(memory), some_askers(), {}, {}).context.value();
    };
    const Tensor global = context(ReachKind::global), local_m = context(ReachKind::local_m),
                 local_p = context(ReachKind::local_p);
    for (Dim i = 0; i < global.size(); ++i) {
      EXPECT_NEAR(local_m.data<double>()[i], global.data<double>()[i], 1e-12);
      EXPECT_NEAR(local_p.data<double>()[i], global.data<double>()[i], 1e-12);
    }
  }
}

TEST(Mechanism, SharperWeightsAreSharper) {
  Params params(3, DType::f64);
  const auto largest = [&](double sharpness) {
    const Mechanism m(params.scope() / std::to_string(sharpness), 4, 4,
                      {.score = Score::dot, .sharpness = sharpness});
    const Tensor w =
        m(normal_sample({5, 4}, 1), m.prepare(normal_sample({8, 4}, 2)), some_askers(), {}, {})
            .weights.value();
    return *std::max_element(w.data<double>(), w.data<double>() + 5);
  };
  EXPECT_GT(largest(2), largest(1));
}

TEST(Mechanism, HardTakesTheLikeliestWhenNothingIsDrawn) {
  Params params(3, DType::f64);
  const Mechanism soft(params.scope() / "s", 4, 4, {.score = Score::dot});
  const Mechanism hard(params.scope() / "h", 4, 4,
                       {.score = Score::dot, .allocate = Allocation::hard});
  const Var q = normal_sample({5, 4}, 1), memory = normal_sample({8, 4}, 2);
  const Look looked = hard(q, hard.prepare(memory), some_askers(), {}, {});
  const Look all = soft(q, soft.prepare(memory), some_askers(), {}, {});
  EXPECT_TRUE(identical(looked.weights.value(), all.weights.value()));
  const double* w = all.weights.value().data<double>();
  for (Dim i = 0; i < 5; ++i) {
    const Dim begin = all.pairs.of_query.begin(i), end = all.pairs.of_query.end(i);
    const Dim best = std::max_element(w + begin, w + end) - w;
    EXPECT_EQ(looked.drawn.data<std::int32_t>()[i], best);
    const Dim key = all.pairs.key.data<std::int32_t>()[best];
    for (Dim c = 0; c < 4; ++c) {
      EXPECT_EQ(looked.context.value().view<double>()[i][c], memory.value().view<double>()[key][c]);
    }
  }
}

// One row looks at three places that are worth 1, 2 and 4. The exact gradient of E[R] by the scores
// is p_k (R_k - E[R]); the estimator's mean over many draws comes close, with any baseline.
TEST(Mechanism, ReinforceEstimatesTheExactGradient) {
  constexpr Dim draws = 40000;
  const std::vector<double> worth = {1, 2, 4}, score = {0.3, -0.2, 0.1};
  double total = 0, expected = 0;
  for (const double e : score) total += std::exp(e);
  std::vector<double> p;
  for (std::size_t k = 0; k < 3; ++k) {
    p.push_back(std::exp(score[k]) / total);
    expected += p[k] * worth[k];
  }
  Params params(3, DType::f64);
  const Mechanism hard(params.scope(), 3, 3,
                       {.score = Score::dot, .allocate = Allocation::hard, .mixed = 0});
  std::vector<double> queries;
  for (Dim i = 0; i < draws; ++i) queries.insert(queries.end(), score.begin(), score.end());
  const Askers askers{.begin = std::vector<Dim>(draws, 0),
                      .length = std::vector<Dim>(draws, 3),
                      .place = std::vector<Dim>(draws, 0),
                      .sequences = Segments::of_lengths({draws})};
  const Var keys = Tensor::of<double>({3, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1});  // e_k = q_k
  for (const double baseline : {0.0, expected}) {
    Rng rng{.seed = 7};
    const Var q = Var::parameter(Tensor::from<double>({draws, 3}, queries));
    const Look look = hard(q, hard.prepare(keys), askers, {}, {.rng = &rng});
    std::vector<float> rewards;
    for (Dim i = 0; i < draws; ++i) {
      const Dim key = look.pairs.key.data<std::int32_t>()[look.drawn.data<std::int32_t>()[i]];
      rewards.push_back(static_cast<float>(worth[static_cast<std::size_t>(key)]));
    }
    const Var loss = reinforce(look.log_probability, Tensor::from<float>({draws}, rewards),
                               Segments::uniform(draws, 1), baseline);
    const Tensor gradient = backward(loss)[q];
    for (std::size_t k = 0; k < 3; ++k) {
      double mean = 0;
      for (Dim i = 0; i < draws; ++i) mean -= gradient.view<double>()[i][k] / draws;
      EXPECT_NEAR(mean, p[k] * (worth[k] - expected), 0.02) << k;
    }
    double entropy = 0;
    for (const double one : p) entropy -= one * std::log(one);
    EXPECT_NEAR(look.entropy.value().data<double>()[0], entropy, 1e-12);
  }
}

// In training a row of hard attention either has what it drew or, with no draw to learn from, what
// soft attention would have.
TEST(Mechanism, HardAttentionMixesAShareOfItsRowsInTraining) {
  constexpr Dim rows = 1000;
  Params params(3);
  const MechanismConfig config{.score = Score::dot, .allocate = Allocation::hard};
  const Mechanism hard(params.scope() / "h", 4, 4, config);
  const Mechanism soft(params.scope() / "s", 4, 4, {.score = Score::dot});
  const Askers askers{.begin = std::vector<Dim>(rows, 0),
                      .length = std::vector<Dim>(rows, 3),
                      .place = std::vector<Dim>(rows, 0),
                      .sequences = Segments::of_lengths({rows})};
  const Var q = Tensor::of<float>({1, 4}, {1, 0.5F, -0.25F, 0.5F});
  const Var queries = gather_rows(q, Tensor::zeros({rows}, DType::i32));
  const Var memory =
      Tensor::of<float>({3, 4}, {0.1F, 0.2F, 0.3F, 0.4F, -1, 1, 0.5F, 0, 0, -0.5F, 1, 2});
  const Var mean = soft(queries, soft.prepare(memory), askers, {}, {}).context;
  Rng rng{.seed = 5};
  const Look look = hard(queries, hard.prepare(memory), askers, {}, {.rng = &rng});
  Dim mixed = 0;
  for (Dim i = 0; i < rows; ++i) {
    const float* seen = look.context.value().view<float>()[i];
    const Dim key = look.pairs.key.data<std::int32_t>()[look.drawn.data<std::int32_t>()[i]];
    const bool is_mixed = look.log_probability.value().data<float>()[i] == 0;
    const Var& expected = is_mixed ? mean : memory;
    for (Dim c = 0; c < 4; ++c) {
      EXPECT_NEAR(seen[c], expected.value().view<float>()[is_mixed ? i : key][c], 1e-6);
    }
    mixed += is_mixed;
  }
  EXPECT_NEAR(static_cast<double>(mixed) / rows, config.mixed, 0.05);
}

TEST(Mechanism, RewardsCountFromTheRowOn) {
  const Var logs = Var::parameter(Tensor::of<double>({3, 1}, {-1, -2, -3}));
  const Tensor worth = Tensor::of<float>({3}, {1, 2, 4});
  const Gradients g = backward(reinforce(logs, worth, Segments::of_lengths({2, 1}), 0.5));
  EXPECT_TRUE(identical(g[logs], Tensor::of<double>({3, 1}, {-2, -1.5, -3.5})));
  Tensor baseline = Tensor::of<float>({1}, {10});
  follow(baseline, worth);
  EXPECT_NEAR(baseline.item(), 9 + 0.1 * 7 / 3, 1e-5);
}

TEST(Mechanism, RefusesWhatMakesNoSense) {
  Params params(1);
  EXPECT_THROW(Mechanism(params.scope() / "a", 4, 8, {.score = Score::dot}), Error);
  EXPECT_THROW(Mechanism(params.scope() / "b", 4, 4, {.score = Score::none}), Error);
  EXPECT_THROW(Mechanism(params.scope() / "c", 4, 4,
                         {.reach = ReachKind::local_p, .allocate = Allocation::hard}),
               Error);
}

}  // namespace
}  // namespace fovea
