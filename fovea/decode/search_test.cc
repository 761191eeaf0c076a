#include "fovea/decode/search.h"

#include <gtest/gtest.h>

#include <limits>

#include "fovea/base/error_testing.h"
#include "fovea/base/threads.h"
#include "fovea/decode/fake_stepper.h"
#include "fovea/decode/score.h"

namespace fovea {
namespace {

constexpr std::int32_t kEnd = 0, kBegin = 1;

using Lists = std::vector<std::vector<Hypothesis>>;

/// One request for each source, which is its number too.
Lists run(const std::vector<std::uint64_t>& sources, Dim vocabulary, const DecodeConfig& config,
          const Ids& suppressed = {kBegin}) {
  FakeStepper stepper(sources, vocabulary);
  std::vector<DecodeRequest> requests;
  for (const std::uint64_t source : sources) {
    DecodeRequest request{.prefix = {kBegin}, .number = static_cast<Dim>(source)};
    if (source % 3 == 1) request.prefix = {kBegin, 2, 3};  // forced text
    if (source % 4 == 1) request.max_length = 6;
    requests.push_back(request);
  }
  return decode(stepper, requests, kEnd, config, suppressed);
}

void expect_same(const std::vector<Hypothesis>& a, const std::vector<Hypothesis>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].ids, b[i].ids);
    EXPECT_EQ(a[i].score, b[i].score);
    EXPECT_EQ(a[i].log_probability, b[i].log_probability);
    EXPECT_EQ(a[i].token_log_probabilities, b[i].token_log_probabilities);
    EXPECT_EQ(a[i].finished, b[i].finished);
  }
}

std::vector<std::uint64_t> sources_to(std::uint64_t count) {
  std::vector<std::uint64_t> sources;
  for (std::uint64_t i = 0; i < count; ++i) sources.push_back(i);
  return sources;
}

/// Every text of a vocabulary with at most max_length tokens, in the order in which decode ranks.
struct Exhaustive {
  std::uint64_t source;
  Dim vocabulary;
  DecodeConfig config;
  std::vector<Hypothesis> all = {};

  void visit(const Ids& ids, double log_probability, std::array<double, 2> seen) {
    Ids given = {kBegin};
    given.insert(given.end(), ids.begin(), ids.end());
    const auto x = FakeStepper::logits(source, given, vocabulary);
    const auto weights = FakeStepper::attention(source, given);
    double sum = 0;
    for (const float v : x) sum += std::exp(static_cast<double>(v));
    for (std::size_t i = 0; i < 2; ++i) seen[i] += static_cast<double>(weights[i]);
    for (std::int32_t id = 0; id < vocabulary; ++id) {
      if (id == kBegin) continue;
      Ids longer = ids;
      const bool ends = id == kEnd;
      if (ends && static_cast<Dim>(ids.size()) < config.min_length) continue;
      if (!ends) longer.push_back(id);
      const double total =
          log_probability + static_cast<double>(x[static_cast<std::size_t>(id)]) - std::log(sum);
      const Dim length = static_cast<Dim>(ids.size()) + 1;
      const double score = normalised(total, length, config.length_penalty) +
                           config.coverage_penalty * (std::log(std::min(seen[0], 1.0)) +
                                                      std::log(std::min(seen[1], 1.0)));
      if (ends || length == config.max_length) {
        all.push_back({.ids = longer, .score = score, .log_probability = total, .finished = ends});
      } else {
        visit(longer, total, seen);
      }
    }
  }
  std::vector<Hypothesis> best() {
    visit({}, 0, {0, 0});
    rank(all);
    return all;
  }
};

TEST(BeamSearch, WideEnoughIsExhaustive) {
  for (const double length_penalty : {0.0, 0.6, 2.0}) {
    for (const double coverage_penalty : {0.0, 0.4}) {
      for (const Dim n_best : {1, 5}) {
        for (std::uint64_t source = 0; source < 24; source += 2) {
          if (source % 3 == 1) continue;  // has forced text
          const DecodeConfig config{.beam = 400,
                                    .n_best = n_best,
                                    .length_penalty = length_penalty,
                                    .coverage_penalty = coverage_penalty,
                                    .min_length = static_cast<Dim>(source % 5),
                                    .max_length = 5};
          const auto expected = Exhaustive{source, 5, config}.best();
          const auto actual = run({source}, 5, config)[0];
          ASSERT_EQ(static_cast<Dim>(actual.size()), n_best);
          for (std::size_t i = 0; i < actual.size(); ++i) {
            EXPECT_EQ(actual[i].ids, expected[i].ids);
            EXPECT_EQ(actual[i].finished, expected[i].finished);
            EXPECT_NEAR(actual[i].score, expected[i].score, 1e-5);
            EXPECT_NEAR(actual[i].log_probability, expected[i].log_probability, 1e-5);
          }
        }
      }
    }
  }
}

TEST(BeamSearch, OfOneIsGreedy) {
  for (const double coverage_penalty : {0.0, 0.4}) {
    for (const Dim no_repeat : {0, 2}) {
      DecodeConfig config{.search = Search::greedy,
                          .length_penalty = 1.5,
                          .coverage_penalty = coverage_penalty,
                          .min_length = 2,
                          .max_length = 30,
                          .no_repeat = no_repeat};
      const Lists greedy = run(sources_to(40), 17, config);
      config.search = Search::beam;
      config.beam = 1;
      const Lists beam = run(sources_to(40), 17, config);
      for (std::size_t i = 0; i < 40; ++i) expect_same(beam[i], greedy[i]);
    }
  }
}

TEST(BeamSearch, WiderFindsBetter) {
  double scores[2] = {};
  for (const Dim beam : {1, 8}) {
    const Lists lists =
        run(sources_to(50), 40, {.beam = beam, .length_penalty = 0, .max_length = 20});
    for (const auto& list : lists) scores[beam == 8] += list[0].score;
  }
  EXPECT_GT(scores[1], scores[0] + 10);
}

TEST(BeamSearch, StopsWhenNothingCanImprove) {
  const auto rows_stepped = [](double length_penalty) {
    FakeStepper stepper({5}, 4);
    const std::vector<DecodeRequest> requests = {{.prefix = {kBegin}}};
    decode(stepper, requests, kEnd, {.beam = 50, .length_penalty = length_penalty}, Ids{kBegin});
    return stepper.rows_stepped;
  };
  EXPECT_LT(rows_stepped(0), rows_stepped(1));
  EXPECT_LT(rows_stepped(1), 50 * 100);
}

TEST(Decode, RequestsDoNotInfluenceEachOther) {
  const int threads = thread_count();
  for (const Search search : {Search::greedy, Search::beam, Search::sample}) {
    const DecodeConfig config{.search = search,
                              .n_best = 3,
                              .coverage_penalty = 0.2,
                              .max_length = 12,
                              .no_repeat = 3,
                              .temperature = 0.8};
    auto sources = sources_to(20);
    const Lists together = run(sources, 2500, config);
    set_thread_count(3);
    std::reverse(sources.begin(), sources.end());
    const Lists reversed = run(sources, 2500, config);
    set_thread_count(threads);
    for (std::size_t i = 0; i < 20; ++i) {
      expect_same(run({i}, 2500, config)[0], together[i]);
      expect_same(reversed[19 - i], together[i]);
    }
  }
}

TEST(Decode, SaysWhatItFound) {
  for (const Search search : {Search::greedy, Search::beam, Search::sample}) {
    const DecodeConfig config{
        .search = search, .n_best = 4, .min_length = 3, .max_length = 9, .no_repeat = 2};
    const Lists lists = run(sources_to(30), 7, config, {kBegin, 4});
    for (std::size_t source = 0; source < lists.size(); ++source) {
      const auto& list = lists[source];
      EXPECT_EQ(list.size(), search == Search::greedy ? 1U : 4U);
      const bool forced = source % 3 == 1;
      const std::size_t limit = source % 4 == 1 ? 6 : 9;
      for (std::size_t i = 0; i < list.size(); ++i) {
        const Hypothesis& h = list[i];
        EXPECT_TRUE(i == 0 || !h.finished || list[i - 1].score >= h.score);
        EXPECT_TRUE(i == 0 || list[i - 1].finished || !h.finished);
        EXPECT_GE(h.ids.size(), 3U);
        EXPECT_EQ(std::count(h.ids.begin(), h.ids.end(), kEnd), 0);
        EXPECT_EQ(std::count(h.ids.begin(), h.ids.end(), kBegin), 0);
        EXPECT_EQ(std::count(h.ids.begin(), h.ids.end(), 4), 0);
        ASSERT_EQ(h.token_log_probabilities.size(), h.ids.size() + (h.finished ? 1 : 0));
        EXPECT_LE(h.token_log_probabilities.size(), limit);
        EXPECT_TRUE(h.finished || h.ids.size() == limit);
        // Every number again, from the model.
        Ids given = {kBegin};
        double log_probability = 0;
        for (std::size_t j = 0; j < h.token_log_probabilities.size(); ++j) {
          const std::int32_t id = j < h.ids.size() ? h.ids[j] : kEnd;
          if (forced && j < 2) {
            EXPECT_EQ(id, j == 0 ? 2 : 3);
            EXPECT_EQ(h.token_log_probabilities[j], 0);
          } else {
            const auto x = FakeStepper::logits(source, given, 7);
            double sum = 0;
            for (const float v : x) sum += std::exp(static_cast<double>(v));
            const double expected = static_cast<double>(x[static_cast<std::size_t>(id)]);
            EXPECT_NEAR(h.token_log_probabilities[j], expected - std::log(sum), 2e-6);
            log_probability += expected - std::log(sum);
          }
          given.push_back(id);
        }
        EXPECT_NEAR(h.log_probability, log_probability, 1e-5);
        EXPECT_NEAR(h.score, normalised(log_probability, h.length(), 0.6), 1e-5);
      }
    }
  }
}

TEST(Decode, TiesGoToTheLowerId) {
  for (const Search search : {Search::greedy, Search::beam}) {
    FakeStepper stepper({0}, 50);
    stepper.spoil = [](Tensor& logits) {
      std::fill_n(logits.mutable_data<float>(), logits.size(), 0.25F);
    };
    const std::vector<DecodeRequest> requests = {{.prefix = {kBegin}}};
    const Lists lists = decode(stepper, requests, kEnd,
                               {.search = search, .min_length = 3, .max_length = 9}, Ids{kBegin});
    EXPECT_EQ(lists[0][0].ids, (Ids{2, 2, 2}));
    EXPECT_TRUE(lists[0][0].finished);
  }
}

TEST(Decode, NothingToDo) {
  FakeStepper stepper({}, 5);
  for (const Search search : {Search::greedy, Search::beam, Search::sample}) {
    EXPECT_TRUE(decode(stepper, {}, kEnd, {.search = search}).empty());
  }
}

TEST(Decode, ForcedTextMayBeLongerThanTheLimit) {
  FakeStepper stepper({3}, 5);
  const std::vector<DecodeRequest> requests = {
      {.prefix = {kBegin, 2, 3, 4}, .control = 1, .max_length = 2}};
  const Lists lists = decode(stepper, requests, kEnd, {.min_length = 9}, Ids{kBegin});
  EXPECT_EQ(lists[0][0].ids.size(), 4U);
  EXPECT_FALSE(lists[0][0].finished);
}

TEST(Decode, StopsWhereNothingMayFollow) {
  for (const Search search : {Search::greedy, Search::beam, Search::sample}) {
    FakeStepper stepper({3}, 4);
    const std::vector<DecodeRequest> requests = {{.prefix = {kBegin}}};
    const Lists lists = decode(stepper, requests, kEnd,
                               {.search = search, .min_length = 9, .no_repeat = 1}, Ids{kBegin});
    ASSERT_GE(lists[0].size(), 1U);
    EXPECT_EQ(lists[0][0].ids.size(), 2U);
    EXPECT_FALSE(lists[0][0].finished);
  }
}

TEST(Decode, LogitsThatAreNotFiniteAreAnError) {
  for (const Search search : {Search::greedy, Search::beam, Search::sample}) {
    for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
      FakeStepper stepper({0, 2}, 300);
      stepper.spoil = [bad](Tensor& logits) {
        logits.mutable_data<float>()[logits.size() / 2] = bad;
      };
      const std::vector<DecodeRequest> requests(2, {.prefix = {kBegin}});
      EXPECT_THROW(decode(stepper, requests, kEnd, {.search = search}), Error);
    }
  }
}

TEST(Decode, WhoWatchesSeesEachTokenAndEndsTexts) {
  for (const Search search : {Search::greedy, Search::sample}) {
    FakeStepper stepper({3, 4}, 20);
    const std::vector<DecodeRequest> requests = {{.prefix = {kBegin, 7}, .number = 3},
                                                 {.prefix = {kBegin}, .number = 4}};
    const DecodeConfig config = {.search = search, .max_length = 12};
    std::vector<Ids> seen(2);
    const Watch watch = [&](Dim request, Dim sample, const Hypothesis& text) {
      EXPECT_EQ(sample, 0);
      Ids& before = seen[static_cast<std::size_t>(request)];
      EXPECT_EQ(text.ids.size(), std::max<std::size_t>(before.size(), request == 0 ? 1 : 0) + 1);
      before = text.ids;
      return request == 0 && text.ids.size() == 5;
    };
    const Lists lists = decode(stepper, requests, no_end, config, {}, watch);
    EXPECT_EQ(lists[0][0].ids, seen[0]);
    EXPECT_EQ(lists[0][0].ids.size(), 5U);
    EXPECT_TRUE(lists[0][0].finished);
    EXPECT_EQ(lists[1][0].ids, seen[1]);
    EXPECT_EQ(lists[1][0].ids.size(), 12U) << "nothing but the length ends it";
    EXPECT_FALSE(lists[1][0].finished);
  }
}

TEST(Decode, RepetitionIsPenalised) {
  const std::vector<float> logits = {-9, -9, 2, 1.5, -1, -0.9F};
  const auto written = [&](double penalty, const Ids& forced) {
    FakeStepper stepper({0}, std::ssize(logits));
    stepper.spoil = [&](Tensor& x) {
      std::copy(logits.begin(), logits.end(), x.mutable_data<float>());
    };
    DecodeRequest request{.prefix = forced};
    request.prefix.insert(request.prefix.begin(), kBegin);
    const auto list =
        decode(stepper, std::span(&request, 1), kEnd,
               {.search = Search::greedy, .max_length = 4, .repetition_penalty = penalty})[0];
    EXPECT_NEAR(list[0].token_log_probabilities.back(),
                logits[static_cast<std::size_t>(list[0].ids.back())] -
                    std::log(std::exp(2.0) + std::exp(1.5) + std::exp(-1.0) + std::exp(-0.9) +
                             2 * std::exp(-9.0)),
                1e-5)
        << "the model's own probability";
    return list[0].ids;
  };
  EXPECT_EQ(written(1, {}), (Ids{2, 2, 2, 2}));
  EXPECT_EQ(written(1.2, {}), (Ids{2, 2, 2, 2})) << "2 / 1.2 is still more than 1.5";
  EXPECT_EQ(written(1.5, {}), (Ids{2, 3, 2, 2}));
  EXPECT_EQ(written(0.5, {4, 5}), (Ids{4, 5, 2, 2})) << "below 1 it favours";
  EXPECT_EQ(written(4, {2, 3}), (Ids{2, 3, 2, 2}));
}

TEST(Decode, RefusesWhatMakesNoSense) {
  FakeStepper stepper({0}, 5);
  const auto kind_of_refusal = [&](const DecodeRequest& request, const DecodeConfig& config,
                                   const Ids& suppressed) {
    return kind_thrown_by(
        [&] { decode(stepper, std::span(&request, 1), kEnd, config, suppressed); });
  };
  const auto refuses_request = [&](const DecodeRequest& request, const Ids& suppressed = {}) {
    EXPECT_EQ(kind_of_refusal(request, {}, suppressed), ErrorKind::bad_input);
  };
  const DecodeRequest good{.prefix = {kBegin}};
  refuses_request({});
  refuses_request({.prefix = {kBegin}, .control = 2});
  refuses_request({.prefix = {kBegin, 5}});
  refuses_request(good, {5});
  const auto refuses = [&](const DecodeConfig& config) {
    EXPECT_EQ(kind_of_refusal(good, config, {}), ErrorKind::bad_setting);
  };
  refuses({.beam = 2, .n_best = 3});
  refuses({.beam = 0, .n_best = 0});
  refuses({.beam = widest_beam + 1});
  refuses({.search = Search::greedy, .beam = -1});
  refuses({.length_penalty = -1});
  refuses({.max_length = 0});
  refuses({.temperature = -1});
  refuses({.top_p = 0});
  refuses({.min_p = 1.5});
  refuses({.search = Search::greedy, .repetition_penalty = 0});
  refuses({.search = Search::beam, .repetition_penalty = 1.5});
  const Watch watch = [](Dim, Dim, const Hypothesis&) { return false; };
  EXPECT_THROW(decode(stepper, std::span(&good, 1), kEnd, {.search = Search::beam}, {}, watch),
               Error);
}

}  // namespace
}  // namespace fovea
