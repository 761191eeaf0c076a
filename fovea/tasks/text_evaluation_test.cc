#include "fovea/tasks/text_evaluation.h"

#include <gtest/gtest.h>

namespace fovea {
namespace {

TEST(TextMetrics, GivesOneReportForEachMetric) {
  using enum TextMetric;
  const std::vector<std::string> sources = {"the police killed the gunman"};
  const std::vector<std::string> hypotheses = {"police kill the gunman"};
  const std::vector<std::vector<std::string>> references = {{"police killed the gunman"}};
  const std::vector<Report> reports =
      evaluate(sources, hypotheses, references, {.metrics = {bleu, rouge_1, rouge_2, rouge_l}});
  ASSERT_EQ(reports.size(), 4);
  const double expected[] = {0, 75, 100.0 / 3, 75};  // of BLEU only the name is looked at
  const char* names[] = {"bleu", "rouge-1", "rouge-2", "rouge-l"};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(reports[i].figure.name, names[i]);
    EXPECT_TRUE(reports[i].figure.higher_is_better);
    if (i > 0) {
      EXPECT_DOUBLE_EQ(reports[i].figure.value, expected[i]);
    }
  }
  EXPECT_EQ(reports[3].text, "ROUGE-L = 75.00 (P = 75.00 R = 75.00)");
}

TEST(TextMetrics, CountsWholeLinesAndSymbolsInTheirPlace) {
  using enum TextMetric;
  const std::vector<std::string> sources = {"a", "b", "c"};
  const std::vector<std::string> said = {"1 2 3", "1 3", "4 5 6 7"};
  const std::vector<std::vector<std::string>> right = {{"1 2 3"}, {"1 2 3"}, {"4 5"}};
  const auto reports = evaluate(sources, said, right, {.metrics = {exact, symbols}});
  EXPECT_DOUBLE_EQ(reports[0].figure.value, 100.0 / 3);
  EXPECT_EQ(reports[0].text, "exact = 33.33 % (1 of 3)");
  EXPECT_DOUBLE_EQ(reports[1].figure.value, 60);  // 3 + 1 + 2 of 3 + 3 + 4
  EXPECT_EQ(reports[1].text, "symbols = 60.00 % (6 of 10)");
}

TEST(TextMetrics, EqualSourcesAreOneQuestionForErrorRatesAlone) {
  using enum TextMetric;
  const std::vector<std::string> sources = {"tomato", "potato", "tomato"};
  const std::vector<std::string> said = {"a b c d e", "f g h i j", "a b c d e"};
  const std::vector<std::vector<std::string>> right = {{"a b c d x"}, {"f g h i j"}, {"a b c d e"}};
  const auto both = evaluate(sources, said, right, {.metrics = {bleu, wer, chrf, per, exact}});
  EXPECT_EQ(both[1].text, "WER = 0.00 % (0 of 2 words)");
  EXPECT_EQ(both[3].figure.value, 0);
  EXPECT_EQ(both[4].text, "exact = 66.67 % (2 of 3)");
  const auto alone = evaluate(sources, said, right, {.metrics = {bleu, chrf}});
  EXPECT_LT(alone[0].figure.value, 100);
  EXPECT_EQ(both[0].figure.value, alone[0].figure.value);
  EXPECT_EQ(both[0].signature, alone[0].signature);
  EXPECT_EQ(both[2].figure.value, alone[1].figure.value);
  EXPECT_TRUE(asks_once({.metrics = {wer, per}}));
  EXPECT_FALSE(asks_once({.metrics = {bleu, wer}}));
  EXPECT_FALSE(asks_once({.metrics = {}}));
}

TEST(TextMetrics, ByTheLengthOfSources) {
  const std::vector<std::string> sources = {"a b", "a b c d", "a", "a b c d e f"};
  const std::vector<std::string> said = {"x y", "x", "y", "z"};
  const std::vector<std::vector<std::string>> right = {{"x y"}, {"y"}, {"y"}, {"z"}};
  TextEvaluation config;
  config.metrics = {TextMetric::wer};
  const std::vector<Dim> lengths = {2, 4, 5};
  const auto reports = evaluate_by_length(sources, said, right, lengths, config);
  ASSERT_EQ(reports.size(), 3U);
  EXPECT_EQ(reports[0].figure.name, "wer, 0 to 2 words");
  EXPECT_EQ(reports[0].figure.value, 0);
  EXPECT_EQ(reports[1].figure.name, "wer, 3 to 4 words");
  EXPECT_EQ(reports[1].figure.value, 100);
  EXPECT_EQ(reports[2].figure.name, "wer, 6 words and more");
  const std::vector<Dim> falling = {4, 2};
  EXPECT_THROW(evaluate_by_length(sources, said, right, falling, config), Error);
}

}  // namespace
}  // namespace fovea
