#include "fovea/metrics/rouge.h"

#include "fovea/base/check.h"
#include "fovea/metrics/translations_testing.h"

namespace fovea {
namespace {

using enum RougeKind;
using Lines = std::vector<std::string>;
constexpr RougeKind kinds[] = {one, two, longest};

// The figures of rouge_score 0.1.2, printed by tests/fixtures/make_translation_figures.py.
constexpr double corpus_figures[][3] = {
    // precision, recall, F1 of each kind
    {69.476326, 73.300595, 70.237018},
    {55.494923, 59.167659, 56.344188},
    {69.233270, 72.441964, 69.714501},
};
constexpr double line_figures[][3] = {
    // F1 of each kind
    {100.000000, 100.000000, 100.000000}, {76.923077, 20.000000, 66.666667},
    {0.000000, 0.000000, 0.000000},       {0.000000, 0.000000, 0.000000},
    {0.000000, 0.000000, 0.000000},       {100.000000, 0.000000, 100.000000},
    {66.666667, 0.000000, 66.666667},     {88.888889, 75.000000, 88.888889},
    {85.714286, 66.666667, 85.714286},    {77.777778, 37.500000, 77.777778},
    {88.888889, 57.142857, 88.888889},    {87.500000, 71.428571, 87.500000},
    {100.000000, 100.000000, 100.000000}, {100.000000, 100.000000, 100.000000},
    {100.000000, 100.000000, 100.000000}, {100.000000, 100.000000, 100.000000},
    {72.727273, 66.666667, 72.727273},    {88.888889, 75.000000, 88.888889},
    {100.000000, 100.000000, 100.000000}, {71.428571, 50.000000, 66.666667},
    {85.714286, 66.666667, 85.714286},    {100.000000, 100.000000, 100.000000},
    {88.888889, 87.500000, 88.888889},    {72.727273, 66.666667, 72.727273},
    {0.000000, 0.000000, 0.000000},       {66.666667, 40.000000, 66.666667},
    {100.000000, 100.000000, 100.000000}, {0.000000, 0.000000, 0.000000},
    {100.000000, 100.000000, 100.000000}, {100.000000, 100.000000, 100.000000},
    {0.000000, 0.000000, 0.000000},       {100.000000, 100.000000, 100.000000},
    {100.000000, 100.000000, 100.000000}, {100.000000, 100.000000, 100.000000},
    {57.142857, 0.000000, 57.142857},     {30.769231, 0.000000, 30.769231},
    {70.588235, 50.000000, 64.705882},    {31.578947, 23.529412, 31.578947},
    {0.000000, 0.000000, 0.000000},       {100.000000, 100.000000, 100.000000},
};

TEST(Rouge, IsRougeScoreOnACorpus) {
  const Translations lines(2);
  for (std::size_t k = 0; k < 3; ++k) {
    const Rouge found = rouge(kinds[k], lines.hypotheses, lines.references);
    EXPECT_NEAR(found.precision, corpus_figures[k][0], 1e-6) << found.text();
    EXPECT_NEAR(found.recall, corpus_figures[k][1], 1e-6) << found.text();
    EXPECT_NEAR(found.f1, corpus_figures[k][2], 1e-6) << found.text();
  }
}

TEST(Rouge, IsRougeScoreOnLines) {
  const Translations lines(2);
  ASSERT_EQ(lines.hypotheses.size(), std::size(line_figures));
  for (std::size_t i = 0; i < lines.hypotheses.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(sentence_rouge(kinds[k], lines.hypotheses[i], lines.references[i]).f1,
                  line_figures[i][k], 1e-6)
          << lines.hypotheses[i];
    }
  }
}

// Lin 2004, 2.3: S1 "police killed the gunman", S2 "police kill the gunman", S3 "the gunman kill
// police". S2 and S3 share one pair of words each with S1, but S2 has more of its order.
TEST(Rouge, IsTheExampleOfItsPaper) {
  const Lines reference = {"police killed the gunman"};
  EXPECT_DOUBLE_EQ(sentence_rouge(two, "police kill the gunman", reference).f1, 100.0 / 3);
  EXPECT_DOUBLE_EQ(sentence_rouge(two, "the gunman kill police", reference).f1, 100.0 / 3);
  EXPECT_DOUBLE_EQ(sentence_rouge(longest, "police kill the gunman", reference).f1, 75);
  EXPECT_DOUBLE_EQ(sentence_rouge(longest, "the gunman kill police", reference).f1, 50);
}

TEST(Rouge, CutsTokens) {
  EXPECT_EQ(rouge_tokens("U.S. 3.5%, it's \u00c9t\u00e9"),
            (Lines{"u", "s", "3", "5", "it", "s", "t"}));
  EXPECT_EQ(rouge_tokens(" .. "), Lines{});
}

TEST(Rouge, SaysWhatItIs) {
  const Rouge found{.kind = longest, .precision = 25.1, .recall = 29.3, .f1 = 26.424};
  EXPECT_EQ(found.text(), "ROUGE-L = 26.42 (P = 25.10 R = 29.30)");
}

TEST(Rouge, OfNothingIsZero) { EXPECT_EQ(rouge(one, {}, {}).f1, 0); }

TEST(Rouge, RefusesLinesWithoutReferences) {
  const Lines lines = {"a"};
  EXPECT_THROW(rouge(one, lines, {}), Error);
  EXPECT_THROW(sentence_rouge(one, "a", {}), Error);
}

}  // namespace
}  // namespace fovea
