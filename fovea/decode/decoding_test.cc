#include "fovea/decode/decoding.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "fovea/decode/fake_stepper.h"

namespace fovea {
namespace {

constexpr std::int32_t kBegin = 0, kEnd = 1;
constexpr Dim kVocabulary = 30;

DecodeConfig config_of(Dim source) {
  DecodeConfig config{.search = static_cast<Search>(source % 3), .max_length = 5 + source % 11};
  config.n_best = config.search == Search::greedy ? 1 : 1 + source % 3;
  config.beam = 3 + source % 2;
  config.temperature = 0.7;
  config.coverage_penalty = source % 2 == 0 ? 0.3 : 0;
  return config;
}

DecodeRequest request_of(Dim source) {
  DecodeRequest request{.prefix = {kBegin}, .number = source};
  if (source % 4 == 0) request.prefix.push_back(5);
  return request;
}

std::vector<Hypothesis> alone(Dim source) {
  FakeStepper stepper({static_cast<std::uint64_t>(source)}, kVocabulary);
  const DecodeRequest request = request_of(source);
  return decode(stepper, std::span(&request, 1), kEnd, config_of(source), Ids{kBegin})[0];
}

Decoding begun(const std::vector<Dim>& sources) {
  std::vector<std::uint64_t> numbers(sources.begin(), sources.end());
  Decoding::Requests requests;
  for (const Dim source : sources) {
    requests.push_back(
        Searching::begin({source, request_of(source), config_of(source), {}}, kEnd, Ids{kBegin}));
  }
  return {std::make_shared<FakeStepper>(numbers, kVocabulary), std::move(requests)};
}

void expect_same(const std::vector<Hypothesis>& a, const std::vector<Hypothesis>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].ids, b[i].ids);
    EXPECT_EQ(a[i].score, b[i].score);
    EXPECT_EQ(a[i].token_log_probabilities, b[i].token_log_probabilities);
    EXPECT_EQ(a[i].finished, b[i].finished);
  }
}

TEST(Decoding, WhoEntersWhileOthersGoFindsWhatItFindsAlone) {
  std::mt19937 random(3);
  std::map<Dim, std::vector<Hypothesis>> found;
  const auto note = [&](Decoding::Requests done) {
    for (auto& one : done) found[one->job().key] = one->take_found();
  };
  Decoding all;
  Dim next = 0;
  while (next < 60 || !all.empty()) {
    if (next < 60 && (all.empty() || random() % 2 == 0)) {
      std::vector<Dim> sources;
      for (auto n = 1 + random() % 4; n > 0 && next < 60; --n) sources.push_back(next++);
      Decoding fresh = begun(sources);
      note(fresh.step());
      all.join(std::move(fresh));
    }
    if (!all.empty()) note(all.step());
  }
  ASSERT_EQ(found.size(), 60U);
  for (auto& [source, list] : found) {
    SCOPED_TRACE(source);
    expect_same(list, alone(source));
  }
}

TEST(Decoding, DroppedRequestsLeaveTheOthersAlone) {
  Decoding all = begun({0, 1, 2, 3, 4, 5});
  std::map<Dim, std::vector<Hypothesis>> found;
  for (Dim step = 0; !all.empty(); ++step) {
    for (auto& one : all.step()) found[one->job().key] = one->take_found();
    if (step == 1) {
      all.drop([](Dim key) { return key == 0 || key == 4; });
      for (const auto& request : all.requests()) {
        EXPECT_TRUE(request->job().key != 0 && request->job().key != 4);
      }
    }
  }
  for (const Dim source : {1, 2, 3, 5}) expect_same(found[source], alone(source));
  Decoding none = begun({7});
  none.step();
  none.drop([](Dim) { return true; });
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.rows(), 0);
}

TEST(Decoding, ABeamShowsItsLikeliestOpenText) {
  std::vector<Ids> seen;
  DecodeConfig config{.search = Search::beam, .beam = 3, .max_length = 6};
  const Watch watch = [&](Dim, Dim, const Hypothesis& text) {
    seen.push_back(text.ids);
    return true;  // which a beam does not listen to
  };
  Decoding::Requests requests;
  requests.push_back(Searching::begin({9, request_of(3), config, watch}, kEnd, Ids{kBegin}));
  Decoding one(std::make_shared<FakeStepper>(std::vector<std::uint64_t>{3}, kVocabulary),
               std::move(requests));
  while (!one.empty()) one.step();
  ASSERT_GE(seen.size(), 2U);
  for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i].size(), i + 1);
}

}  // namespace
}  // namespace fovea
