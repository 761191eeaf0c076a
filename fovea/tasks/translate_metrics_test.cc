#include "fovea/tasks/translate_metrics.h"

#include <gtest/gtest.h>

namespace fovea {
namespace {

TEST(TranslateMetrics, GivesOneReportForEachMetric) {
  using enum TranslateMetric;
  const std::vector<std::string> hypotheses = {"police kill the gunman"};
  const std::vector<std::vector<std::string>> references = {{"police killed the gunman"}};
  const std::vector<Report> reports =
      evaluate(hypotheses, references, {.metrics = {bleu, rouge_1, rouge_2, rouge_l}});
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

}  // namespace
}  // namespace fovea
