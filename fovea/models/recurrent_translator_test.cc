#include "fovea/models/recurrent_translator.h"

#include <gtest/gtest.h>

#include <numeric>

#include "fovea/attention/cache.h"
#include "fovea/attention/probe.h"
#include "fovea/models/model_testing.h"
#include "fovea/ops/elementwise.h"

namespace fovea {
namespace {

RecurrentTranslatorConfig small(Cell cell, ReadOut read, MechanismConfig attention) {
  RecurrentTranslatorConfig c;
  c.source_vocabulary = c.target_vocabulary = 9;
  c.cell = cell, c.embedding = 2, c.hidden = 3, c.read = read, c.attention = attention;
  c.dropout = 0;
  return c;
}

struct Case {
  std::string label;
  RecurrentTranslatorConfig config;
};

/// The models of the papers, and some that no paper has.
std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](std::string label, Cell cell, ReadOut read, MechanismConfig attention) {
    all.push_back({std::move(label), small(cell, read, attention)});
  };
  add("Cho 2014", Cell::gru, ReadOut::before, {.score = Score::none});
  add("Sutskever 2014", Cell::lstm, ReadOut::after, {.score = Score::none});
  all.back().config.bidirectional = false;
  all.back().config.reversed = true;
  all.back().config.layers = 2;
  add("Bahdanau 2015", Cell::gru, ReadOut::before, {.score = Score::concat});
  for (const Score score : {Score::dot, Score::general, Score::concat, Score::location}) {
    for (const ReachKind reach : {ReachKind::global, ReachKind::local_m, ReachKind::local_p}) {
      for (const ReadOut read : {ReadOut::after, ReadOut::feed}) {
        add("Luong 2015", Cell::lstm, read,
            {.score = score, .reach = reach, .window = 1, .longest = 5});
        all.back().config.bidirectional = score != Score::dot;
        all.back().config.layers = read == ReadOut::feed ? 2 : 1;
      }
    }
  }
  add("Chorowski 2015", Cell::gru, ReadOut::before,
      {.score = Score::location_aware,
       .reach = ReachKind::monotone,
       .window = 1,
       .sharpness = 2,
       .filters = 2,
       .filter_width = 3});
  add("location-aware afterwards", Cell::lstm, ReadOut::after,
      {.score = Score::location_aware, .filters = 2, .filter_width = 3});
  add("hard", Cell::gru, ReadOut::before, {.score = Score::concat, .allocate = Allocation::hard});
  return all;
}

const std::vector<Ids> kSources = {{3, 4, 5, 6}, {7}, {8, 3, 4}};
const std::vector<Ids> kTargets = {{1, 5}, {1, 7, 8, 6}, {1, 3, 4}};

struct Model {
  Params params;
  RecurrentEncoder encoder;
  RecurrentDecoder decoder;
  Model(const RecurrentTranslatorConfig& c, DType dtype, std::uint64_t seed = 1)
      : params(seed, dtype),
        encoder(params.scope() / "encoder", c),
        decoder(params.scope() / "decoder", c) {}
  Var operator()(const std::vector<Ids>& sources, const std::vector<Ids>& targets,
                 const Pass& pass = {}) const {
    return decoder(joined(targets), encoder(joined(sources), pass), pass);
  }
};

TEST(RecurrentTranslator, Gradients) {
  for (const Case& c : cases()) {
    if (c.config.attention.allocate == Allocation::hard) continue;  // see Hard
    SCOPED_TRACE(c.label);
    Model model(c.config, DType::f64);
    const Tensor wanted = joined(kTargets).ids;
    expect_right_gradients(model.params, [&] {
      return model.decoder.last.loss_sum(model(kSources, kTargets), wanted, 0.1);
    });
  }
}

TEST(RecurrentTranslator, ASequenceDoesNotDependOnItsBatch) {
  const NoTape no_tape;
  for (const Case& c : cases()) {
    const Model model(c.config, DType::f32);
    const Tensor together = model(kSources, kTargets).value();
    Dim row = 0;
    for (std::size_t s = 0; s < kSources.size(); ++s) {
      const Tensor alone = model({kSources[s]}, {kTargets[s]}).value();
      EXPECT_TRUE(identical(together.slice(row, row + alone.rows()).clone(), alone)) << c.label;
      row += alone.rows();
    }
  }
}

TEST(RecurrentTranslator, OneTokenAtATimeEqualsTheWhole) {
  const NoTape no_tape;
  const std::vector<Ids> targets = {{1, 5, 6, 7}, {1, 7, 8, 6}, {1, 3, 4, 5}};
  for (const Case& c : cases()) {
    const Model model(c.config, DType::f32);
    const Tensor whole = model(kSources, targets).value();
    const Encoded source = model.encoder(joined(kSources), {});
    Cache cache(3);
    for (Dim t = 0; t < 4; t += t == 0 ? 2 : 1) {  // first a forced beginning of two
      const Dim n = t == 0 ? 2 : 1;
      std::vector<Ids> next;
      for (const Ids& ids : targets) next.emplace_back(ids.begin() + t, ids.begin() + t + n);
      const Tensor step = model.decoder(joined(next), source, {.cache = &cache}).value();
      for (Dim s = 0; s < 3; ++s) {
        EXPECT_TRUE(identical(step.slice(s * n, (s + 1) * n).clone(),
                              whole.slice(4 * s + t, 4 * s + t + n).clone()))
            << c.label << " " << t;
      }
    }
    // Hypotheses that a search reorders and splits.
    const std::vector<Dim> from = {2, 0, 2};
    cache.select(from);
    const std::vector<Ids> more = {{1, 3, 4, 5, 6}, {1, 5, 6, 7, 8}, {1, 3, 4, 5, 7}};
    const std::vector<Ids> sources = {kSources[2], kSources[0], kSources[2]};
    const Tensor last =
        model.decoder(joined(std::vector<Ids>{{6}, {8}, {7}}), source, {.cache = &cache}).value();
    const Tensor all = model(sources, more).value();
    for (Dim s = 0; s < 3; ++s) {
      EXPECT_TRUE(identical(last.slice(s, s + 1).clone(), all.slice(5 * s + 4, 5 * s + 5).clone()))
          << c.label;
    }
  }
}

TEST(RecurrentTranslator, ShowsWhereItLooked) {
  const NoTape no_tape;
  for (const Case& c : cases()) {
    const Model model(c.config, DType::f32);
    Probe probe;
    model(kSources, kTargets, {.probe = &probe});
    if (c.config.attention.score == Score::none) {
      EXPECT_TRUE(model.decoder.attention_layers().empty()) << c.label;
      continue;
    }
    ASSERT_EQ(model.decoder.cross_attention(), std::vector<std::string>{"decoder.cross"});
    const AttentionRecord* record = probe.find("decoder.cross");
    ASSERT_NE(record, nullptr) << c.label;
    for (Dim s = 0; s < 3; ++s) {
      const Tensor weights = record->matrix(s, 0);
      EXPECT_EQ(weights.rows(), static_cast<Dim>(kTargets[static_cast<std::size_t>(s)].size()));
      EXPECT_EQ(weights.cols(), static_cast<Dim>(kSources[static_cast<std::size_t>(s)].size()));
      for (Dim t = 0; c.config.attention.reach != ReachKind::local_p && t < weights.rows(); ++t) {
        const float* row = weights.view<float>()[t];
        EXPECT_NEAR(std::accumulate(row, row + weights.cols(), 0.0F), 1, 1e-5) << c.label;
      }
    }
    if (c.config.attention.allocate == Allocation::hard) {
      const Tensor drawn = probe.find("decoder.cross.drawn")->matrix(0, 0);
      for (Dim t = 0; t < drawn.rows(); ++t) {
        const float* row = drawn.view<float>()[t];
        EXPECT_EQ(*std::max_element(row, row + drawn.cols()), 1);
        EXPECT_EQ(std::accumulate(row, row + drawn.cols(), 0.0F), 1);
      }
    }
  }
}

// What is drawn has a log-probability with a gradient, and an entropy.
TEST(RecurrentTranslator, Hard) {
  const RecurrentTranslatorConfig c =
      small(Cell::gru, ReadOut::before, {.score = Score::concat, .allocate = Allocation::hard});
  Model model(c, DType::f32);
  Rng rng{.seed = 3};
  const Pass pass{.rng = &rng};
  const DrawnPlaces drawn =
      model.decoder.decode(joined(kTargets), model.encoder(joined(kSources), pass), pass, {}).drawn;
  ASSERT_EQ(drawn.log_probability.rows(), 9);
  ASSERT_EQ(drawn.entropy.rows(), 9);
  for (Dim r = 0; r < 9; ++r) {
    EXPECT_LE(drawn.log_probability.value().data<float>()[r], 0);
    EXPECT_GE(drawn.entropy.value().data<float>()[r], 0);
  }
  EXPECT_EQ(drawn.log_probability.value().data<float>()[2], 0);  // a source of one row
  EXPECT_TRUE(drawn.log_probability.needs_gradient());
  EXPECT_TRUE(drawn.baseline.defined());
}

/// Copying seven letters: what attention is for.
double learned(const RecurrentTranslatorConfig& c) {
  Model model(c, DType::f32);
  const auto copies = [](Dim step) {
    const Draws draws{.seed = 5, .site = static_cast<std::uint64_t>(step)};
    std::vector<Ids> all;
    for (std::uint64_t s = 0; s < 16; ++s) {
      Ids ids;
      for (std::uint64_t i = 0; i < 7; ++i) {
        ids.push_back(static_cast<std::int32_t>(2 + draws.below(7 * s + i, 6)));
      }
      all.push_back(ids);
    }
    return all;
  };
  return learn(model.params, 300, 0.01, [&](Dim step) {
    const std::vector<Ids> sources = copies(step);
    std::vector<Ids> read = sources;
    for (Ids& ids : read) ids.insert(ids.begin(), 1), ids.pop_back();
    const Var h = model(sources, read);
    return scale(model.decoder.last.loss_sum(h, joined(sources).ids, 0), 1.0 / 112);
  });
}

TEST(RecurrentTranslator, AttentionLearnsToCopy) {
  const auto sized = [](ReadOut read, MechanismConfig attention) {
    RecurrentTranslatorConfig c = small(Cell::gru, read, attention);
    c.embedding = c.hidden = 16;
    return c;
  };
  EXPECT_LT(learned(sized(ReadOut::before, {.score = Score::concat})), 0.3);
  EXPECT_LT(learned(sized(ReadOut::feed, {.score = Score::general})), 0.3);
  EXPECT_LT(learned(sized(ReadOut::after,
                          {.score = Score::general, .reach = ReachKind::local_m, .window = 1})),
            0.3);
  EXPECT_GT(learned(sized(ReadOut::before, {.score = Score::none})),
            0.5);  // seven letters in 16 numbers
}

TEST(RecurrentTranslator, RefusesWhatMakesNoSense) {
  EXPECT_THROW(Model(small(Cell::gru, ReadOut::feed, {.score = Score::none}), DType::f32), Error);
  EXPECT_THROW(
      Model(small(Cell::gru, ReadOut::after, {.score = Score::none, .reach = ReachKind::local_m}),
            DType::f32),
      Error);
  EXPECT_THROW(Model(small(Cell::gru, ReadOut::after, {.score = Score::dot}), DType::f32), Error);
  const Model model(small(Cell::gru, ReadOut::before, {}), DType::f32);
  const Encoded source = model.encoder(joined(kSources), {});
  EXPECT_THROW(model.decoder.decode(joined(kTargets), source, {}, {.lag = 3}), Error);
}

}  // namespace
}  // namespace fovea
