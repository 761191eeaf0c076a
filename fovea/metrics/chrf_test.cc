#include "fovea/metrics/chrf.h"

#include "fovea/base/check.h"
#include "fovea/metrics/translations_testing.h"

namespace fovea {
namespace {

// The figures of sacreBLEU 2.6.0, printed by tests/fixtures/make_translation_figures.py.
struct CorpusFigure {
  std::size_t references;
  Dim word_order;
  bool lowercase;
  double score;
};
constexpr CorpusFigure corpus_figures[] = {
    {1, 0, false, 62.87075487}, {1, 0, true, 65.50840132},  {1, 2, false, 58.35271704},
    {1, 2, true, 60.75649329},  {2, 0, false, 68.10341350}, {2, 0, true, 70.85349277},
    {2, 2, false, 63.06904380}, {2, 2, true, 65.57355243},
};
constexpr double sentence_figures[] = {
    100.000000, 22.423292,  0.000000,   0.000000,  0.000000,  100.000000, 26.476849, 78.525498,
    67.910553,  44.641775,  82.005766,  71.219985, 89.514393, 75.000000,  79.574742, 78.385423,
    75.000000,  76.087203,  100.000000, 54.970362, 45.825021, 48.426361,  72.868994, 65.316180,
    60.590600,  49.803843,  57.858741,  57.071356, 85.714286, 69.286334,  31.511744, 74.247803,
    100.000000, 100.000000, 52.372872,  14.715329, 63.813771, 34.007205,  7.027891,  90.894949};

TEST(Chrf, IsSacreBleuOnACorpus) {
  for (const CorpusFigure& expected : corpus_figures) {
    const Translations lines(expected.references);
    const ChrfConfig config{.word_order = expected.word_order, .lowercase = expected.lowercase};
    EXPECT_NEAR(chrf(lines.hypotheses, lines.references, config).score, expected.score, 1e-7)
        << signature(config, static_cast<Dim>(expected.references));
  }
}

TEST(Chrf, IsSacreBleuOnSentences) {
  const Translations lines(2);
  ASSERT_EQ(lines.hypotheses.size(), std::size(sentence_figures));
  for (std::size_t i = 0; i < lines.hypotheses.size(); ++i) {
    const Chrf found = sentence_chrf(lines.hypotheses[i], lines.references[i], {.word_order = 2});
    EXPECT_NEAR(found.score, sentence_figures[i], 1e-6) << lines.hypotheses[i];
  }
}

TEST(Chrf, SaysWhatItIs) {
  EXPECT_EQ((Chrf{.score = 61.234, .word_order = 2}.text()), "chrF2++ = 61.23");
  EXPECT_EQ(Chrf{}.text(), "chrF2 = 0.00");
  EXPECT_EQ(signature(ChrfConfig{.word_order = 2}),
            "nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:fovea-0.1.0");
}

TEST(Chrf, OfNothingIsZero) { EXPECT_EQ(chrf({}, {}, {.word_order = 2}).score, 0); }

TEST(Chrf, RefusesLinesWithoutReferences) {
  const std::vector<std::string> one = {"a"};
  EXPECT_THROW(chrf(one, {}), Error);
  EXPECT_THROW(sentence_chrf("a", {}), Error);
  EXPECT_THROW(sentence_chrf("a", {"a"}, {.word_order = -1}), Error);
}

}  // namespace
}  // namespace fovea
