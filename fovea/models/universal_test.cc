#include "fovea/models/universal.h"

#include <algorithm>
#include <cmath>

#include "fovea/attention/cache.h"
#include "fovea/attention/probe.h"
#include "fovea/models/model_testing.h"
#include "fovea/ops/elementwise.h"

namespace fovea {
namespace {

UniversalConfig small() {
  UniversalConfig c;
  c.source_vocabulary = c.target_vocabulary = 9;
  c.steps = 4;
  c.width = 4, c.heads = 2, c.hidden = 5, c.dropout = 0, c.longest = 12;
  c.activation = Activation::tanh;  // smooth, for differences
  return c;
}

std::vector<UniversalConfig> variants() {
  std::vector<UniversalConfig> all;
  for (const Positions positions :
       {Positions::sinusoidal, Positions::learned, Positions::relation_aware, Positions::rotary}) {
    for (const bool halting : {true, false}) {
      UniversalConfig c = small();
      c.positions = positions, c.halting = halting;
      c.norm = halting ? NormPlace::post : NormPlace::pre;
      all.push_back(c);
    }
  }
  return all;
}

const std::vector<Ids> kSources = {{3, 4, 5, 6}, {7}, {8, 3, 4}};
const std::vector<Ids> kTargets = {{1, 5, 6, 7}, {1, 7, 8, 6}, {1, 3, 4, 5}};

struct Model {
  Params params;
  UniversalEncoder encoder;
  UniversalDecoder decoder;
  explicit Model(const UniversalConfig& c, DType dtype = DType::f32)
      : params(4, dtype),
        encoder(params.scope() / "encoder", c),
        decoder(params.scope() / "decoder", c, encoder.tokens) {}
  Var operator()(const std::vector<Ids>& sources, const std::vector<Ids>& targets,
                 const Pass& pass = {}) const {
    return decoder(joined(targets), encoder(joined(sources), pass), pass);
  }
  /// The loss of `wanted`, and the cost of pondering.
  Var loss(const Tensor& wanted, double ponder) const {
    const Encoded source = encoder(joined(kSources), {});
    const Decoded decoded = decoder.decode(joined(kTargets), source, {}, {});
    const Var loss = decoder.last.loss_sum(decoded.rows, wanted, 0.1);
    if (!decoded.ponder.defined()) return loss;
    return add(loss, scale(add(decoded.ponder, source.ponder), ponder));
  }
};

Dim steps_taken(const AttentionRecord& record, Dim sequence, Dim row) {
  const Tensor shares = record.matrix(sequence, 0);  // (rows, steps)
  Dim taken = 0;
  for (Dim t = 0; t < shares.cols(); ++t) {
    if (shares.view<float>()[row][t] > 0) taken = t + 1;
  }
  return taken;
}

TEST(Universal, HasTheRightGradients) {
  const Tensor wanted = joined(kTargets).ids;
  for (const bool halting : {true, false}) {
    UniversalConfig c = small();
    c.halting = halting;
    c.norm = halting ? NormPlace::post : NormPlace::pre;
    Model model(c, DType::f64);
    expect_right_gradients(model.params, [&] { return model.loss(wanted, 0.3); });
  }
}

// Graves 2016, eq. 5 to 14, in loops, on states that a unit is given.
TEST(Halting, IsWhatThePaperWrites) {
  const NoTape no_tape;
  constexpr Dim rows = 5, width = 3, most = 4;
  Params params(1, DType::f64);
  const HaltingUnit unit(params.scope(), width, {.steps = most, .margin = 0.05});
  const Draws draws{.seed = 7};
  std::vector<Tensor> states;
  for (Dim t = 0; t <= most; ++t) {
    states.push_back(Tensor::empty({rows, width}, DType::f64));
    for (Dim i = 0; i < rows * width; ++i) {
      states.back().mutable_data<double>()[i] =
          3 * draws.normal(static_cast<std::uint64_t>(t * rows * width + i));
    }
  }
  Halting halting(unit, rows, DType::f64);
  std::vector<Tensor> kept;
  for (Dim t = 1; t <= most; ++t) {
    kept.push_back(
        halting.step(states[static_cast<std::size_t>(t - 1)], states[static_cast<std::size_t>(t)])
            .value());
  }
  EXPECT_FALSE(halting.running());
  double cost = 0;
  std::vector<Dim> taken;
  for (Dim r = 0; r < rows; ++r) {
    double spent = 0;
    std::vector<double> y(width, 0);
    Dim n = 0;
    for (Dim t = 1; n == 0; ++t) {
      const double* s = states[static_cast<std::size_t>(t)].view<double>()[r];
      double score = unit.bias.value().item();
      for (Dim k = 0; k < width; ++k) score += unit.weight.value().data<double>()[k] * s[k];
      const double p = 1 / (1 + std::exp(-score));
      if (spent + p >= 0.95 || t == most) n = t;
      const double share = n > 0 ? 1 - spent : p;
      for (Dim k = 0; k < width; ++k) y[static_cast<std::size_t>(k)] += share * s[k];
      EXPECT_NEAR(halting.shares().data<double>()[r * most + t - 1], share, 1e-14);
      if (n == 0) spent += p;
    }
    for (Dim k = 0; k < width; ++k) {
      EXPECT_NEAR(halting.result().value().view<double>()[r][k], y[static_cast<std::size_t>(k)],
                  1e-13);
    }
    cost += static_cast<double>(n) + 1 - spent;
    taken.push_back(n);
    for (Dim t = 1; t <= most; ++t) {  // once halted, what it was before
      const auto from = static_cast<std::size_t>(t > n ? t - 1 : t);
      EXPECT_TRUE(identical(kept[static_cast<std::size_t>(t - 1)].slice(r, r + 1).clone(),
                            states[from].slice(r, r + 1).clone()));
    }
  }
  EXPECT_NEAR(halting.cost().item(), cost, 1e-12);
  EXPECT_GT(*std::max_element(taken.begin(), taken.end()),
            *std::min_element(taken.begin(), taken.end()));
}

TEST(Universal, OneTokenAtATimeEqualsTheWhole) {
  const NoTape no_tape;
  for (const UniversalConfig& c : variants()) {
    const Model model(c);
    const Tensor whole = model(kSources, kTargets).value();
    const Encoded source = model.encoder(joined(kSources), {});
    Cache cache(3);
    for (Dim t = 0; t < 4; t += t == 0 ? 2 : 1) {  // first a forced beginning of two
      const Dim n = t == 0 ? 2 : 1;
      std::vector<Ids> next;
      for (const Ids& ids : kTargets) next.emplace_back(ids.begin() + t, ids.begin() + t + n);
      const Tensor step = model.decoder(joined(next), source, {.cache = &cache}).value();
      for (Dim s = 0; s < 3; ++s) {
        EXPECT_TRUE(identical(step.slice(s * n, (s + 1) * n).clone(),
                              whole.slice(4 * s + t, 4 * s + t + n).clone()))
            << t << " positions " << static_cast<int>(c.positions) << " halting " << c.halting;
      }
    }
  }
}

TEST(Universal, NeitherNeighboursNorAProbeChangeAnything) {
  const NoTape no_tape;
  for (const UniversalConfig& c : variants()) {
    const Model model(c);
    const Tensor together = model(kSources, kTargets).value();
    Probe probe;
    const Tensor alone = model({kSources[1]}, {kTargets[1]}, {.probe = &probe}).value();
    EXPECT_TRUE(identical(together.slice(4, 8).clone(), alone));
    EXPECT_EQ(probe.find("decoder.halting") != nullptr, c.halting);
    for (const std::string& name : model.decoder.cross_attention()) {
      ASSERT_TRUE(probe.find(name));
      EXPECT_EQ(probe.find(name)->matrix(0, 0).shape(), (Shape{4, 1}));
    }
  }
}

TEST(Universal, DrawsWhereSequencesBegin) {
  UniversalConfig c = small();
  const NoTape no_tape;
  for (const Dim offset : {0, 30}) {
    c.offset = offset;
    const Model model(c);
    Rng rng{.seed = 3};
    const Encoded one = model.encoder(joined(kSources), {.rng = &rng});
    const Encoded other = model.encoder(joined(kSources), {.rng = &rng});
    EXPECT_EQ(identical(one.rows.value(), other.rows.value()), offset == 0);
    EXPECT_EQ(one.begins.size(), offset == 0 ? 0U : 3U);
    EXPECT_TRUE(model.encoder(joined(kSources), {}).begins.empty());
  }
}

TEST(Universal, PondersLessWhenItCosts) {
  const auto learned = [](double weight) {
    UniversalConfig c = small();
    c.width = 16, c.hidden = 32;
    Model model(c);
    const Tensor wanted = joined(std::vector<Ids>{{5, 6, 7, 2}, {7, 8, 6, 2}, {3, 4, 5, 2}}).ids;
    const double loss =
        learn(model.params, 200, 5e-3, [&](Dim) { return model.loss(wanted, weight); });
    Probe probe({.where = "*halting"});
    const NoTape no_tape;
    model(kSources, kTargets, {.probe = &probe});
    double steps = 0;
    for (Dim s = 0; s < 3; ++s) {
      for (Dim r = 0; r < 4; ++r) {
        steps += static_cast<double>(steps_taken(*probe.find("decoder.halting"), s, r));
      }
    }
    return std::pair(loss, steps / 12);
  };
  const auto [cheap_loss, cheap_steps] = learned(0.001);
  const auto [dear_loss, dear_steps] = learned(1);
  EXPECT_LT(cheap_loss, 7);  // 12 tokens, smoothed by 0.1: at best 0.45 each
  EXPECT_LT(dear_steps, cheap_steps);
  EXPECT_GE(dear_steps, 1);
}

TEST(Universal, RefusesWhatItCannotDo) {
  UniversalConfig c = small();
  c.steps = 0;
  Params params(1);
  EXPECT_THROW(UniversalEncoder(params.scope(), c), Error);
  const Model model(small());
  const Encoded source = model.encoder(joined(kSources), {});
  EXPECT_THROW(model.decoder.decode(joined(kTargets), source, {}, {.lag = 3}), Error);
}

}  // namespace
}  // namespace fovea
