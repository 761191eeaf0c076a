#include "fovea/models/answerer.h"

#include <cmath>

#include "fovea/models/cloze_reader.h"
#include "fovea/models/model_testing.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/reduce.h"
#include "fovea/ops/segment.h"

namespace fovea {
namespace {

AnswererConfig small(AnswerKind kind) {
  AnswererConfig c;
  c.kind = kind;
  c.encoder.vocabulary = 9, c.encoder.layers = 1, c.encoder.width = 4, c.encoder.hidden = 5;
  c.encoder.heads = 2, c.encoder.dropout = 0, c.encoder.positions = Positions::sinusoidal;
  c.hidden = 3, c.dropout = 0;
  return c;
}

const Ids kQuestion = {3, 4, 5}, kNear = {4, 5, 6}, kFar = {7, 8}, kOther = {5, 6};
const std::vector<AnswerPair> kPairs = {{kQuestion, kNear}, {kQuestion, kFar}, {kOther, kNear}};

TEST(Answerer, TheGradientsOfAChoiceAreRight) {
  Params params(1, DType::f64);
  const Answerer model(params.scope(), small(AnswerKind::choice));
  expect_right_gradients(
      params,
      [&] {
        const Var p = segment_softmax(model.scores(kPairs, {}), Segments::of_lengths({2, 1}));
        return sum(log(probability_of(p, joined(std::vector<Ids>{{0}, {2}}))));
      },
      // The last bias adds the same to every score; what is counted is no parameter of the loss.
      [](const std::string& name) { return name == "out.bias" || name == "rarity" ? 0.0 : 1.0; });
}

TEST(Answerer, TheGradientsOfASpanAreRight) {
  Params params(2, DType::f64);
  const Answerer model(params.scope(), small(AnswerKind::span));
  expect_right_gradients(
      params,
      [&] {
        const SpanPointers p = model.point(kPairs, {});
        return add(sum(log(probability_of(p.begin, joined(std::vector<Ids>{{1}, {4}, {7, 8}})))),
                   sum(log(probability_of(p.end, joined(std::vector<Ids>{{2}, {4}, {8}})))));
      },
      [](const std::string& name) { return name == "out.bias" ? 0.0 : 1.0; });
}

TEST(Answerer, PointsAtTheTextOrAtNothing) {
  const NoTape no_tape;
  Params params(3);
  const Answerer model(params.scope(), small(AnswerKind::span));
  const SpanPointers p = model.point(kPairs, {});
  EXPECT_EQ(p.segments, Segments::of_lengths({4, 3, 4}));  // one more than the text
  for (Dim s = 0; s < 3; ++s) {
    double all = 0;
    for (Dim r = p.segments.begin(s); r < p.segments.end(s); ++r) {
      all += p.begin.value().data<float>()[r];
    }
    EXPECT_NEAR(all, 1, 1e-6);
  }
  const SpanPointers alone = model.point(std::span(kPairs).subspan(1, 1), {});
  EXPECT_TRUE(identical(alone.end.value(), p.end.value().slice(4, 7).clone()));
}

TEST(Answerer, MarksWhatBothSidesHave) {
  Params params(4);
  const Answerer model(params.scope(), small(AnswerKind::choice));
  const TextRows rows = model.rows_of(std::span(kPairs).first(1));
  EXPECT_EQ(
      Ids(rows.tokens.ids.span<std::int32_t>().begin(), rows.tokens.ids.span<std::int32_t>().end()),
      (Ids{1, 3, 4, 5, 2, 4, 5, 6}));
  EXPECT_EQ(Ids(rows.kinds.span<std::int32_t>().begin(), rows.kinds.span<std::int32_t>().end()),
            (Ids{0, 0, 2, 2, 0, 3, 3, 1}));
}

TEST(Answerer, MeasuresHowMuchOfTheQuestionIsRepeated) {
  Params params(5);
  Answerer model(params.scope(), small(AnswerKind::choice));
  model.count(std::vector<Ids>{{4, 4, 6}, {4}, {5}});
  const auto rarity = [](double with) { return std::log(4 / (with + 1)); };
  const Tensor found = model.overlap(kPairs);
  const float* near = found.view<float>()[0];
  EXPECT_NEAR(near[0], 2.0 / 3, 1e-6);  // 4 and 5 of 3, 4 and 5
  EXPECT_NEAR(near[1], (rarity(2) + rarity(1)) / (rarity(0) + rarity(2) + rarity(1)), 1e-6);
  EXPECT_NEAR(near[2], 0.5, 1e-6);  // 4 5 of 3 4, 4 5
  EXPECT_NEAR(near[3], 2.0 / 3, 1e-6);
  for (Dim k = 0; k < 4; ++k) EXPECT_EQ(found.view<float>()[1][k], 0);
}

// The right sentence is the one that has the two words of the question in the same order; which
// words these are says nothing.
TEST(Answerer, LearnsToChooseWhatIsAlike) {
  AnswererConfig c = small(AnswerKind::choice);
  c.encoder.width = 16, c.encoder.hidden = 32, c.overlap = false;
  c.hidden = 16;
  Params params(6);
  const Answerer model(params.scope(), c);
  const double loss = learn(params, 150, 5e-3, [&](Dim step) {
    const Draws draws{.seed = 3, .site = static_cast<std::uint64_t>(step)};
    std::vector<Ids> kept;
    kept.reserve(3 * 16);
    std::vector<AnswerPair> pairs;
    std::vector<Ids> right;
    for (std::uint64_t q = 0; q < 16; ++q) {
      const auto word = [&](std::uint64_t i) {
        return static_cast<std::int32_t>(3 + draws.below(8 * q + i, 3));
      };
      const auto other = [&](std::uint64_t i) { return word(i) + 3; };
      const Ids& question = kept.emplace_back(Ids{word(0), word(1)});
      const bool first = draws.below(8 * q + 2, 2) == 0;
      const Ids same = {other(3), word(0), word(1)}, differs = {other(4), other(5), other(6)};
      pairs.push_back({question, kept.emplace_back(first ? same : differs)});
      pairs.push_back({question, kept.emplace_back(first ? differs : same)});
      right.push_back({static_cast<std::int32_t>(2 * q + (first ? 0 : 1))});
    }
    const Var p = segment_softmax(model.scores(pairs, {}), Segments::uniform(16, 2));
    return scale(sum(log(probability_of(p, joined(right)))), -1.0 / 16);
  });
  EXPECT_LT(loss, 0.05);  // a guess: 0.69
}

TEST(Answerer, RefusesKindsThatDoNotTellMatchesApart) {
  AnswererConfig c = small(AnswerKind::choice);
  c.encoder.kinds = 2;
  Params params(7);
  EXPECT_THROW(Answerer(params.scope(), c), Error);
}

}  // namespace
}  // namespace fovea
