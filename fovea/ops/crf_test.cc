#include "fovea/ops/crf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "fovea/ops/expect_error.h"
#include "fovea/ops/op_samples.h"
#include "fovea/tensor/sequences.h"

namespace fovea {
namespace {

constexpr Dim kTags = 3, kRows = 4;

struct Drawn {
  Tensor emissions;
  CrfWeights weights;
};

Drawn drawn(DType dtype, std::uint64_t seed) {
  return {normal_sample({kRows, kTags}, seed).to(dtype),
          {Var(normal_sample({kTags, kTags}, seed + 100).to(dtype)),
           Var(normal_sample({kTags}, seed + 200).to(dtype)),
           Var(normal_sample({kTags}, seed + 300).to(dtype))}};
}

/// Calls visit(tags, s(y)) for every sequence of kRows tags.
void for_each_path(const Drawn& d, const std::function<void(const Ids&, double)>& visit) {
  const auto at = [](const Tensor& t, Dim i) { return t.to(DType::f64).data<double>()[i]; };
  for (Dim code = 0; code < std::pow(kTags, kRows); ++code) {
    Ids y;
    for (Dim t = 0, rest = code; t < kRows; ++t, rest /= kTags) {
      y.push_back(static_cast<std::int32_t>(rest % kTags));
    }
    double score = at(d.weights.begin.value(), y.front()) + at(d.weights.end.value(), y.back());
    for (std::size_t t = 0; t < y.size(); ++t) {
      score += at(d.emissions, static_cast<Dim>(t) * kTags + y[t]);
      if (t > 0) score += at(d.weights.transitions.value(), y[t - 1] * kTags + y[t]);
    }
    visit(y, score);
  }
}

Ids ids_of(const Tensor& t) {
  const auto all = t.span<std::int32_t>();
  return {all.begin(), all.end()};
}

const Segments kOne = Segments::of_lengths({kRows});

TEST(Crf, ProbabilitiesOfAllSequencesSumToOne) {
  const Drawn d = drawn(DType::f64, 1);
  double total = 0, partition = 0;
  for_each_path(d, [&](const Ids&, double score) { partition += std::exp(score); });
  for_each_path(d, [&](const Ids& y, double score) {
    const Tensor tags = Tensor::from<std::int32_t>({kRows}, y);
    const double loss = crf_loss(Var(d.emissions), d.weights, tags, kOne).item();
    EXPECT_NEAR(loss, std::log(partition) - score, 1e-12);
    total += std::exp(-loss);
  });
  EXPECT_NEAR(total, 1, 1e-12);
}

TEST(Crf, FindsTheBestOfAllSequences) {
  for (const DType dtype : {DType::f32, DType::f64}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Drawn d = drawn(dtype, seed);
      // tag 1 only after tag 0 or 1; nothing begins with 1 or ends with 2
      TagRules rules{.follows = {true, true, true, true, true, true, true, false, true},
                     .begins = {true, false, true},
                     .ends = {true, true, false}};
      Ids best, ruled;
      double most = -1e9, most_ruled = -1e9;
      for_each_path(d, [&](const Ids& y, double score) {
        if (score > most) most = score, best = y;
        bool allowed = rules.begins[y.front()] && rules.ends[y.back()];
        for (std::size_t t = 1; t < y.size(); ++t) {
          allowed = allowed && rules.follows[y[t - 1] * kTags + y[t]];
        }
        if (allowed && score > most_ruled) most_ruled = score, ruled = y;
      });
      EXPECT_EQ(ids_of(crf_best(d.emissions, d.weights, kOne)), best) << seed;
      EXPECT_EQ(ids_of(crf_best(d.emissions, d.weights, kOne, &rules)), ruled) << seed;
    }
  }
}

TEST(Crf, SequencesDoNotKnowOfOneAnother) {
  const Drawn d = drawn(DType::f32, 7);
  const Segments two = Segments::of_lengths({1, 0, 3});
  const Ids together = ids_of(crf_best(d.emissions, d.weights, two));
  const Ids rest = ids_of(crf_best(d.emissions.slice(1, 4), d.weights, Segments::of_lengths({3})));
  EXPECT_EQ(Ids(together.begin() + 1, together.end()), rest);
  const auto loss_of = [&](Dim from, Dim to) {
    return crf_loss(Var(d.emissions.slice(from, to)), d.weights,
                    Tensor::full({to - from}, 1, DType::i32), Segments::of_lengths({to - from}))
        .item();
  };
  EXPECT_NEAR(crf_loss(Var(d.emissions), d.weights, Tensor::full({4}, 1, DType::i32), two).item(),
              loss_of(0, 1) + loss_of(1, 4), 1e-5);
}

TEST(Crf, LongSequencesStayFinite) {
  constexpr Dim rows = 3000;
  const Tensor emissions = normal_sample({rows, kTags}, 1, 20).to(DType::f32);
  const Drawn d = drawn(DType::f32, 3);
  const Segments one = Segments::of_lengths({rows});
  const Tensor best = crf_best(emissions, d.weights, one);
  const double loss = crf_loss(Var(emissions), d.weights, best, one).item();
  EXPECT_GT(loss, 0);  // less than certain
  EXPECT_LT(loss, rows);
}

TEST(Crf, SaysWhatDoesNotFit) {
  const Drawn d = drawn(DType::f32, 1);
  const auto tags = [](std::initializer_list<std::int32_t> ids) {
    return Tensor::of<std::int32_t>({static_cast<Dim>(ids.size())}, ids);
  };
  expect_error(
      [&] {
        crf_loss(Var(d.emissions), d.weights, tags({0, 1, 3, 0}), kOne);
      },
      {"crf", "tag 3 at position 2", "one of 3"});
  expect_error(
      [&] {
        crf_loss(Var(d.emissions), d.weights, tags({0, 1}), kOne);
      },
      {"expected tags of shape", "found"});
  expect_error([&] { crf_best(d.emissions, d.weights, Segments::of_lengths({2})); },
               {"2 rows for 1 sequences"});
  const CrfWeights other = {d.weights.begin, d.weights.begin, d.weights.end};
  expect_error([&] { crf_best(d.emissions, other, kOne); }, {"transitions of shape"});
  const TagRules nothing{
      .follows = std::vector<bool>(9), .begins = {true, true, true}, .ends = {true, true, true}};
  expect_error([&] { crf_best(d.emissions, d.weights, kOne, &nothing); }, {"allow no sequence"});
}

}  // namespace
}  // namespace fovea
