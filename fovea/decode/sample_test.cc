#include <gtest/gtest.h>

#include "fovea/decode/fake_stepper.h"
#include "fovea/decode/search.h"

namespace fovea {
namespace {

constexpr std::int32_t kEnd = 0, kBegin = 1;
constexpr Dim kSamples = 20000;

/// How often each id comes first, of 20,000 samples of one request, when these are the logits.
std::vector<double> frequencies(const std::vector<float>& logits, DecodeConfig config,
                                const Ids& suppressed = {}) {
  FakeStepper stepper({0}, static_cast<Dim>(logits.size()));
  stepper.spoil = [&](Tensor& x) {
    std::copy(logits.begin(), logits.end(), x.mutable_data<float>());
  };
  config.search = Search::sample;
  config.n_best = kSamples;
  config.max_length = 1;
  const std::vector<DecodeRequest> requests = {{.prefix = {kBegin}}};
  std::vector<double> counts(logits.size());
  const auto lists = decode(stepper, requests, kEnd, config, suppressed);
  for (const Hypothesis& h : lists[0]) {
    counts[static_cast<std::size_t>(h.finished ? kEnd : h.ids[0])] += 1.0 / kSamples;
  }
  return counts;
}

/// Logits of 300 ids, of which few have probabilities: at 0 (the end), 2, 150 and 299.
std::vector<float> few() {
  std::vector<float> logits(300, -std::numeric_limits<float>::infinity());
  logits[0] = std::log(0.1F);
  logits[2] = std::log(0.2F);
  logits[150] = std::log(0.4F);
  logits[299] = std::log(0.3F);
  return logits;
}

void expect_few(const DecodeConfig& config, const std::array<double, 4>& expected,
                const Ids& suppressed = {}) {
  const auto found = frequencies(few(), config, suppressed);
  double others = 1;
  std::size_t k = 0;
  for (const std::size_t id : {0U, 2U, 150U, 299U}) {
    EXPECT_NEAR(found[id], expected[k], expected[k] == 0 ? 0 : 0.012) << "id " << id;
    others -= found[id];
    ++k;
  }
  EXPECT_NEAR(others, 0, 1e-9);
}

TEST(Sample, FollowsTheProbabilities) {
  expect_few({}, {0.1, 0.2, 0.4, 0.3});
  expect_few({.temperature = 0.5}, {0.01 / 0.3, 0.04 / 0.3, 0.16 / 0.3, 0.09 / 0.3});
  expect_few({.temperature = 1e-40}, {0, 0, 1, 0});
  expect_few({.temperature = 1e30}, {0.25, 0.25, 0.25, 0.25});
  expect_few({.temperature = 1e300}, {0.25, 0.25, 0.25, 0.25});
}

TEST(Sample, OfTheLikeliest) {
  expect_few({.top_k = 1}, {0, 0, 1, 0});
  expect_few({.top_k = 2}, {0, 0, 4.0 / 7, 3.0 / 7});
  expect_few({.top_k = 9}, {0.1, 0.2, 0.4, 0.3});
  expect_few({.top_k = 280}, {0.1, 0.2, 0.4, 0.3});
  expect_few({.top_k = 280, .top_p = 0.65}, {0, 0, 4.0 / 7, 3.0 / 7});
  expect_few({.top_p = 0.3}, {0, 0, 1, 0});
  expect_few({.top_p = 0.65}, {0, 0, 4.0 / 7, 3.0 / 7});
  expect_few({.top_p = 0.75}, {0, 2.0 / 9, 4.0 / 9, 3.0 / 9});
  expect_few({.top_k = 2, .top_p = 0.75}, {0, 0, 4.0 / 7, 3.0 / 7});
}

TEST(Sample, OfThoseNearTheLikeliest) {
  expect_few({.min_p = 0.76}, {0, 0, 1, 0});
  expect_few({.min_p = 0.74}, {0, 0, 4.0 / 7, 3.0 / 7});
  expect_few({.min_p = 0.49}, {0, 2.0 / 9, 4.0 / 9, 3.0 / 9});
  expect_few({.top_p = 0.65, .min_p = 0.49}, {0, 0, 4.0 / 7, 3.0 / 7});
  expect_few({.top_k = 280, .min_p = 0.49}, {0, 2.0 / 9, 4.0 / 9, 3.0 / 9});
}

TEST(Sample, NeverWhatIsForbidden) {
  expect_few({}, {0, 0.4, 0, 0.6}, {0, 150});
  expect_few({.min_length = 1}, {0, 2.0 / 9, 4.0 / 9, 3.0 / 9});
  expect_few({.top_k = 1}, {0, 0, 0, 1}, {150});
}

TEST(Sample, ALargeVocabulary) {
  const auto logits = FakeStepper::logits(3, {kBegin}, 1000);
  const auto found = frequencies(logits, {});
  double sum = 0;
  for (const float x : logits) sum += std::exp(static_cast<double>(x));
  double drawn = 0, expected = 0, rare_drawn = 0, rare = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double p = std::exp(static_cast<double>(logits[i])) / sum;
    drawn += found[i];
    expected += p;
    EXPECT_NEAR(drawn, expected, 1.95 / std::sqrt(kSamples)) << i;  // Kolmogorov, Smirnov: 0.1%
    rare_drawn += p < 1e-4 ? found[i] : 0;
    rare += p < 1e-4 ? p : 0;
  }
  EXPECT_NEAR(rare_drawn, rare, 3 * std::sqrt(rare / kSamples));
}

TEST(Sample, DependsOnSeedAndNumber) {
  const auto sample = [](Dim seed, Dim number, Dim n_best) {
    FakeStepper stepper({4}, 30);
    const std::vector<DecodeRequest> requests = {{.prefix = {kBegin}, .number = number}};
    const auto lists =
        decode(stepper, requests, kEnd,
               {.search = Search::sample, .n_best = n_best, .min_length = 8, .seed = seed});
    std::vector<Ids> texts;
    for (const Hypothesis& h : lists[0]) {
      texts.push_back(h.ids);
    }
    return texts;
  };
  const auto texts = sample(1, 1, 5);
  EXPECT_EQ(sample(1, 1, 5), texts);
  EXPECT_NE(sample(2, 1, 5), texts);
  EXPECT_NE(sample(1, 2, 5), texts);
  for (std::size_t i = 1; i < texts.size(); ++i) EXPECT_NE(texts[i], texts[0]);
  // The first sample stays what it is when more are asked for.
  EXPECT_EQ(std::count(texts.begin(), texts.end(), sample(1, 1, 1)[0]), 1);
}

TEST(Sample, AtTemperatureZeroIsGreedy) {
  for (std::uint64_t source = 0; source < 10; ++source) {
    const auto best = [&](const DecodeConfig& config) {
      FakeStepper stepper({source}, 30);
      const std::vector<DecodeRequest> requests = {{.prefix = {kBegin}}};
      return decode(stepper, requests, kEnd, config)[0][0].ids;
    };
    EXPECT_EQ(best({.search = Search::sample, .temperature = 0}), best({.search = Search::greedy}));
  }
}

}  // namespace
}  // namespace fovea
