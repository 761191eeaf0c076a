#include "fovea/metrics/span_match.h"

#include <gtest/gtest.h>

#include <vector>

namespace fovea {
namespace {

using Answers = std::vector<std::string>;

TEST(SpanMatch, ComparesWhatIsLeftOfPlainText) {
  EXPECT_EQ(plain_answer("  The U.S.  Army's\tan answer, a Test! "), "us armys answer test");
  EXPECT_EQ(plain_answer("Äther the"), "äther");
  EXPECT_EQ(plain_answer("the a an ."), "");
  EXPECT_EQ(plain_answer("a² + b"), "a² b");  // numbers of any kind belong to a word
  EXPECT_EQ(plain_answer("“A” side–the other"), "“ ” side– other");  // as \b of Python has it
}

TEST(SpanMatch, CountsWordsInCommonAsOftenAsBothHaveThem) {
  EXPECT_DOUBLE_EQ(word_f1("the very very good food", "good, very good"), 4.0 / 7);
  EXPECT_DOUBLE_EQ(word_f1("food", "Food."), 1);
  EXPECT_DOUBLE_EQ(word_f1("", ""), 1);
  EXPECT_DOUBLE_EQ(word_f1("", "food"), 0);
  EXPECT_DOUBLE_EQ(word_f1("food", ""), 0);
}

TEST(SpanMatch, TakesTheBestOfSeveralAndKnowsNone) {
  SpanScores scores;
  scores.add("good food", Answers{"food", "", "Good food."});  // right
  scores.add("food", Answers{"good food"});                    // F1 2/3
  scores.add("", Answers{"good food"});
  scores.add("", Answers{});        // right
  scores.add("food", Answers{""});  // should have said nothing
  EXPECT_DOUBLE_EQ(scores.all().exact_share(), 2.0 / 5);
  EXPECT_DOUBLE_EQ(scores.all().f1_share(), (1 + 2.0 / 3 + 1) / 5);
  EXPECT_DOUBLE_EQ(scores.with_answer().exact_share(), 1.0 / 3);
  EXPECT_EQ(scores.with_answer().questions, 3);
  EXPECT_DOUBLE_EQ(scores.without_answer().f1_share(), 0.5);
}

}  // namespace
}  // namespace fovea
