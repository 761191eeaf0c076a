#include "fovea/inspect/join_words.h"

#include <gtest/gtest.h>

#include "fovea/inspect/run_testing.h"

namespace fovea {
namespace {

RunRecord pieces() {
  RunRecord run{.sequences = {{"q", {"a", "b"}}, {"k", {"x", "y", "z"}}}};
  run.layers.push_back({.name = "l",
                        .queries = "q",
                        .keys = "k",
                        .heads = {0},
                        .rows = 2,
                        .cols = 3,
                        .weights = {0.25F, 0.5F, 0.25F, 0.5F, 0.5F, 0}});
  run.halting.push_back({"q", {1, 3}});
  run.samples.push_back({"l", 0, {{1}, {0}}});
  return run;
}

TEST(JoinWords, SumsKeysAndAveragesQueries) {
  const RunRecord words =
      join_words(pieces(), {{"q", {{0, 0}, {"ab"}}}, {"k", {{0, 1, 1}, {"x", "yz"}}}});
  EXPECT_EQ(words.tokens("q"), std::vector<std::string>{"ab"});
  EXPECT_EQ(words.tokens("k"), (std::vector<std::string>{"x", "yz"}));
  EXPECT_EQ(words.layers[0].rows, 1);
  EXPECT_EQ(words.layers[0].weights, (std::vector<float>{0.375F, 0.625F}));
  EXPECT_EQ(words.halting[0].steps, std::vector<float>{3});
  EXPECT_EQ(words.samples[0].keys, (std::vector<std::vector<Dim>>{{1, 0}}));
}

TEST(JoinWords, LeavesOutTokensOfNoWord) {
  const RunRecord some =
      join_words(pieces(), {{"q", {{1, -1}, {"none", "a"}}}, {"k", {{-1, 0, 0}, {"yz"}}}});
  EXPECT_EQ(some.layers[0].weights, (std::vector<float>{0, 0.75F}));
  const RunRecord one_side = join_words(pieces(), {{"k", {{0, 0, 0}, {"xyz"}}}});
  EXPECT_EQ(one_side.layers[0].weights, (std::vector<float>{1, 1}));
  EXPECT_THROW(join_words(pieces(), {{"q", {{0}, {"a"}}}}), Error);
  EXPECT_THROW(join_words(pieces(), {{"q", {{0, 1}, {"a"}}}}), Error);
}

TEST(JoinWords, KeepsTheTopOfWords) {
  RunRecord run = pieces();
  RunRecord::Layer& layer = run.layers[0];
  layer.keep = Keep::top;
  layer.top = 2;
  layer.weights = {0.5F, 0.25F, 0.5F, 0.5F};
  layer.top_keys = {1, 0, 0, 1};
  const RunRecord words = join_words(run, {{"q", {{0, 0}, {"ab"}}}});
  EXPECT_EQ(words.layers[0].weights, (std::vector<float>{0.5F, 0.375F}));
  EXPECT_EQ(words.layers[0].top_keys, (std::vector<std::int32_t>{1, 0}));
}

TEST(JoinWords, TakesTheTopOfWholeWords) {
  const std::map<std::string, WordsOfTokens> joins = {{"k", {{0, 1, 1}, {"x", "yz"}}}};
  const RunRecord all = join_words(pieces(), joins), top = join_words(pieces(), joins, 1);
  EXPECT_EQ(top.layers[0].kept(), "top-1");
  for (Dim row = 0; row < 2; ++row) {
    const auto words =
        std::span(all.layers[0].weights).subspan(static_cast<std::size_t>(2 * row), 2);
    EXPECT_EQ(top.layers[0].weights[static_cast<std::size_t>(row)], std::max(words[0], words[1]));
  }
}

TEST(JoinWords, RefusesTokensWithPlaces) {
  EXPECT_THROW(join_words(image_run(), {{"patches", {std::vector<Dim>(7, 0), {"all"}}}}), Error);
  EXPECT_EQ(join_words(image_run(), {}).media.size(), 1U);
}

}  // namespace
}  // namespace fovea
