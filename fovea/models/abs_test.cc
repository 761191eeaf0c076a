#include "fovea/models/abs.h"

#include <algorithm>

#include "fovea/attention/cache.h"
#include "fovea/attention/probe.h"
#include "fovea/models/model_testing.h"
#include "fovea/ops/elementwise.h"

namespace fovea {
namespace {

AbsConfig small() {
  AbsConfig c;
  c.source_vocabulary = c.target_vocabulary = 9;
  c.embedding = 2, c.hidden = 3, c.context = 3, c.smoothing = 1, c.dropout = 0;
  return c;
}

const std::vector<Ids> kSources = {{3, 4, 5, 6}, {7}, {8, 3, 4}};
const std::vector<Ids> kTargets = {{1, 5}, {1, 7, 8, 6}, {1, 3, 4}};

struct Model {
  Params params;
  AbsEncoder encoder;
  AbsDecoder decoder;
  explicit Model(const AbsConfig& c, DType dtype = DType::f32)
      : params(1, dtype),
        encoder(params.scope() / "encoder", c),
        decoder(params.scope() / "decoder", c) {}
  Var operator()(const std::vector<Ids>& sources, const std::vector<Ids>& targets,
                 const Pass& pass = {}) const {
    return decoder(joined(targets), encoder(joined(sources), pass), pass);
  }
};

TEST(Abs, HasTheRightGradients) {
  Model model(small(), DType::f64);
  const Tensor wanted = joined(kTargets).ids;
  expect_right_gradients(model.params, [&] {
    return model.decoder.last.loss_sum(model(kSources, kTargets), wanted, 0.1);
  });
}

using Row = std::vector<double>;
Row row_of(const Var& table, Dim id) {
  const double* from = table.value().view<double>()[id];
  return {from, from + table.cols()};
}
double dot(const Row& a, const Row& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// The formulas of the paper in loops.
TEST(Abs, IsWhatThePaperWrites) {
  const NoTape no_tape;
  const AbsConfig c = small();
  const Model model(c, DType::f64);
  const Tensor found = model(kSources, kTargets).value();
  Dim out = 0;
  for (std::size_t s = 0; s < kSources.size(); ++s) {
    const auto length = static_cast<Dim>(kSources[s].size());
    std::vector<Row> x, mean;
    for (const std::int32_t id : kSources[s]) x.push_back(row_of(model.encoder.tokens.weight, id));
    for (Dim j = 0; j < length; ++j) {
      const Dim from = std::max<Dim>(j - c.smoothing, 0);
      const Dim to = std::min(j + c.smoothing, length - 1);
      mean.emplace_back(3, 0);
      for (Dim q = from; q <= to; ++q) {
        for (std::size_t k = 0; k < 3; ++k) {
          mean.back()[k] += x[static_cast<std::size_t>(q)][k] / static_cast<double>(to - from + 1);
        }
      }
    }
    for (Dim i = 0; i < static_cast<Dim>(kTargets[s].size()); ++i, ++out) {
      Row e, g;
      for (Dim t = i - c.context + 1; t <= i; ++t) {
        const auto of = [&](const Embedding& table) {
          return t < 0 ? Row(2, 0) : row_of(table.weight, kTargets[s][static_cast<std::size_t>(t)]);
        };
        const Row word = of(model.decoder.words), asked = of(model.decoder.asking);
        e.insert(e.end(), word.begin(), word.end());
        g.insert(g.end(), asked.begin(), asked.end());
      }
      Row h, question;
      for (Dim k = 0; k < 3; ++k) {
        const double bias = model.decoder.state.bias.value().data<double>()[k];
        h.push_back(std::tanh(dot(row_of(model.decoder.state.weight, k), e) + bias));
        question.push_back(dot(row_of(model.decoder.question.weight, k), g));
      }
      Row p, enc(3, 0);
      double total = 0;
      for (const Row& one : x) total += p.emplace_back(std::exp(dot(one, question)));
      for (std::size_t j = 0; j < p.size(); ++j) {
        for (std::size_t k = 0; k < 3; ++k) enc[k] += p[j] / total * mean[j][k];
      }
      for (std::size_t k = 0; k < 3; ++k) {
        const auto column = static_cast<Dim>(k);
        EXPECT_NEAR(found.view<double>()[out][column], h[k], 1e-13);
        EXPECT_NEAR(found.view<double>()[out][3 + column], enc[k], 1e-13);
      }
    }
  }
}

TEST(Abs, OneTokenAtATimeEqualsTheWhole) {
  const NoTape no_tape;
  const Model model(small());
  const std::vector<Ids> targets = {{1, 5, 6, 7}, {1, 7, 8, 6}, {1, 3, 4, 5}};
  const Tensor whole = model(kSources, targets).value();
  const Encoded source = model.encoder(joined(kSources), {});
  Cache cache(3);
  for (Dim t = 0; t < 4; t += t == 0 ? 2 : 1) {  // first a forced beginning of two
    const Dim n = t == 0 ? 2 : 1;
    std::vector<Ids> next;
    for (const Ids& ids : targets) next.emplace_back(ids.begin() + t, ids.begin() + t + n);
    Probe probe;
    const Tensor step =
        model.decoder(joined(next), source, {.cache = &cache, .probe = &probe}).value();
    EXPECT_EQ(probe.find("decoder.cross")->matrix(0, 0).shape(), (Shape{n, 4}));
    for (Dim s = 0; s < 3; ++s) {
      EXPECT_TRUE(identical(step.slice(s * n, (s + 1) * n).clone(),
                            whole.slice(4 * s + t, 4 * s + t + n).clone()))
          << t;
    }
  }
  // Hypotheses that a search reorders and splits.
  const std::vector<Dim> from = {2, 0, 2};
  cache.select(from);
  const Tensor last =
      model.decoder(joined(std::vector<Ids>{{6}, {8}, {7}}), source, {.cache = &cache}).value();
  const Tensor all = model({kSources[2], kSources[0], kSources[2]},
                           {{1, 3, 4, 5, 6}, {1, 5, 6, 7, 8}, {1, 3, 4, 5, 7}})
                         .value();
  for (Dim s = 0; s < 3; ++s) {
    EXPECT_TRUE(identical(last.slice(s, s + 1).clone(), all.slice(5 * s + 4, 5 * s + 5).clone()));
  }
}

// Three of six letters come in any order and are to be written in the alphabet's: the last letter
// written says where to look, and only the source says what comes next. Whoever does not look knows
// no more than the frequencies, which are 1.2 nats a token.
TEST(Abs, LearnsToWriteWhatTheSourceHas) {
  AbsConfig c = small();
  c.embedding = c.hidden = 24, c.smoothing = 0;
  Model model(c);
  const double loss = learn(model.params, 300, 1e-2, [&](Dim step) {
    const Draws draws{.seed = 5, .site = static_cast<std::uint64_t>(step)};
    std::vector<Ids> sources, read;
    Ids wanted;
    for (std::uint64_t s = 0; s < 32; ++s) {
      Ids letters = {3, 4, 5, 6, 7, 8};
      for (std::uint32_t i = 0; i < 3; ++i) {
        std::swap(letters[i], letters[i + draws.below(3 * s + i, 6 - i)]);
      }
      letters.resize(3);
      sources.push_back(letters);
      std::sort(letters.begin(), letters.end());
      wanted.insert(wanted.end(), letters.begin(), letters.end());
      wanted.push_back(2);
      letters.insert(letters.begin(), 1);
      read.push_back(letters);
    }
    const Tensor targets = Tensor::from<std::int32_t>({static_cast<Dim>(wanted.size())}, wanted);
    return scale(model.decoder.last.loss_sum(model(sources, read), targets, 0),
                 1.0 / static_cast<double>(wanted.size()));
  });
  EXPECT_LT(loss, 0.3);
}

TEST(Abs, RefusesWhatItCannotDo) {
  Params params(1);
  AbsConfig c = small();
  c.context = 0;
  EXPECT_THROW(AbsDecoder(params.scope(), c), Error);
  const Model model(small());
  const Encoded source = model.encoder(joined(kSources), {});
  EXPECT_THROW(model.decoder.decode(joined(kTargets), source, {}, {.lag = 3}), Error);
}

}  // namespace
}  // namespace fovea
