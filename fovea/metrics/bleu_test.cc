#include "fovea/metrics/bleu.h"

#include "fovea/base/check.h"
#include "fovea/metrics/translations_testing.h"

namespace fovea {
namespace {

using Lines = std::vector<std::string>;

// The figures of sacreBLEU 2.6.0, printed by tests/fixtures/make_translation_figures.py.
struct CorpusFigure {
  std::size_t references;
  BleuTokenizer tokenize;
  bool lowercase;
  double score;
};
constexpr CorpusFigure corpus_figures[] = {
    {1, BleuTokenizer::thirteen_a, false, 52.97745528},
    {1, BleuTokenizer::thirteen_a, true, 54.24280739},
    {1, BleuTokenizer::none, false, 23.36070310},
    {1, BleuTokenizer::none, true, 24.93783552},
    {1, BleuTokenizer::character, false, 65.06778054},
    {1, BleuTokenizer::character, true, 67.67679120},
    {1, BleuTokenizer::chinese, false, 47.78457523},
    {1, BleuTokenizer::chinese, true, 48.88436845},
    {2, BleuTokenizer::thirteen_a, false, 61.95684136},
    {2, BleuTokenizer::thirteen_a, true, 63.95968617},
    {2, BleuTokenizer::none, false, 27.83605575},
    {2, BleuTokenizer::none, true, 30.24303346},
    {2, BleuTokenizer::character, false, 73.30701593},
    {2, BleuTokenizer::character, true, 76.35439626},
    {2, BleuTokenizer::chinese, false, 58.89318365},
    {2, BleuTokenizer::chinese, true, 60.51674209},
};
constexpr double sentence_figures[][4] = {
    // smoothed by exp, floor, add-k, none
    {100.000000, 100.000000, 100.000000, 100.000000},
    {9.042266, 4.548019, 21.506254, 0.000000},
    {0.000000, 0.000000, 0.000000, 0.000000},
    {0.000000, 0.000000, 0.000000, 0.000000},
    {0.000000, 0.000000, 0.000000, 0.000000},
    {100.000000, 100.000000, 100.000000, 100.000000},
    {70.710678, 31.622777, 84.089642, 0.000000},
    {56.234133, 56.234133, 62.233298, 56.234133},
    {100.000000, 100.000000, 100.000000, 100.000000},
    {100.000000, 100.000000, 100.000000, 100.000000},
    {100.000000, 100.000000, 100.000000, 100.000000},
    {31.708477, 21.204736, 39.233152, 0.000000},
    {100.000000, 100.000000, 100.000000, 100.000000},
    {76.191482, 76.191482, 76.887367, 76.191482},
    {100.000000, 100.000000, 100.000000, 100.000000},
    {54.663256, 54.663256, 61.478815, 54.663256},
    {55.032121, 32.182979, 68.658905, 0.000000},
    {84.821986, 84.821986, 85.714972, 84.821986},
    {100.000000, 100.000000, 100.000000, 100.000000},
    {39.763536, 39.763536, 50.000000, 39.763536},
    {27.776190, 18.575058, 37.796447, 0.000000},
    {27.890014, 18.651177, 36.850120, 0.000000},
    {42.728701, 42.728701, 52.868563, 42.728701},
    {42.728701, 28.574404, 53.182959, 0.000000},
    {59.460356, 39.763536, 65.803701, 0.000000},
    {34.668064, 14.938016, 57.735027, 0.000000},
    {70.710678, 70.710678, 74.767439, 70.710678},
    {0.000000, 0.000000, 0.000000, 0.000000},
    {0.000000, 0.000000, 0.000000, 0.000000},
    {21.364350, 11.362194, 33.980885, 0.000000},
    {0.000000, 0.000000, 0.000000, 0.000000},
    {63.894310, 42.728701, 70.710678, 0.000000},
    {100.000000, 100.000000, 100.000000, 100.000000},
    {100.000000, 100.000000, 100.000000, 100.000000},
    {18.995892, 9.554428, 37.991784, 0.000000},
    {7.809850, 3.928147, 19.205613, 0.000000},
    {50.456668, 50.456668, 53.975531, 50.456668},
    {4.295382, 2.284411, 8.207984, 0.000000},
    {6.766764, 3.026189, 9.569650, 0.000000},
    {100.000000, 100.000000, 100.000000, 100.000000},
};

TEST(Bleu, IsSacreBleuOnACorpus) {
  for (const CorpusFigure& expected : corpus_figures) {
    const Translations lines(expected.references);
    const BleuConfig config{.tokenize = expected.tokenize, .lowercase = expected.lowercase};
    EXPECT_NEAR(bleu(lines.hypotheses, lines.references, config).score, expected.score, 1e-7)
        << signature(config, static_cast<Dim>(expected.references));
  }
}

TEST(Bleu, IsSacreBleuOnSentences) {
  const Translations lines(2);
  ASSERT_EQ(lines.hypotheses.size(), std::size(sentence_figures));
  for (std::size_t i = 0; i < lines.hypotheses.size(); ++i) {
    for (std::size_t s = 0; s < 4; ++s) {
      const BleuConfig config{.smooth = static_cast<BleuSmoothing>(s)};
      EXPECT_NEAR(sentence_bleu(lines.hypotheses[i], lines.references[i], config).score,
                  sentence_figures[i][s], 1e-6)
          << lines.hypotheses[i] << ", smoothed by " << names_of(config.smooth)[s];
    }
  }
}

TEST(Bleu, IsPrintedAsSacreBleuPrints) {
  const Translations lines(1);
  EXPECT_EQ(
      bleu(lines.hypotheses, lines.references).text(),
      "BLEU = 52.98 71.4/57.0/51.9/47.7 (BP = 0.940 ratio = 0.942 hyp_len = 259 ref_len = 275)");
  EXPECT_EQ(signature(BleuConfig{.lowercase = true}),
            "nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:fovea-0.1.0");
  EXPECT_EQ(signature(BleuConfig{.tokenize = BleuTokenizer::chinese,
                                 .smooth = BleuSmoothing::floor,
                                 .effective_order = true},
                      2),
            "nrefs:2|case:mixed|eff:yes|tok:zh|smooth:floor[0.10]|version:fovea-0.1.0");
}

TEST(Bleu, CutsTokens) {
  using enum BleuTokenizer;
  EXPECT_EQ(bleu_tokens("A 3.5%, \"no\"&quot;.", thirteen_a),
            (Lines{"A", "3.5", "%", ",", "\"", "no", "\"", "\"", "."}));
  EXPECT_EQ(bleu_tokens("1-2 a-b it's...", thirteen_a),
            (Lines{"1", "-", "2", "a-b", "it's", ".", ".", "."}));
  EXPECT_EQ(bleu_tokens(" a,b  c\u00a0d ", none), (Lines{"a,b", "c", "d"}));
  EXPECT_EQ(bleu_tokens("\u00e9 \u4e2d.", character), (Lines{"\u00e9", "\u4e2d", "."}));
  EXPECT_EQ(bleu_tokens("\u4e2d\u6587Word.", chinese), (Lines{"\u4e2d", "\u6587", "Word", "."}));
  EXPECT_EQ(bleu_tokens("", thirteen_a), Lines{});
  EXPECT_EQ(bleu_tokens("\xff\xc3", character), (Lines{"\ufffd", "\ufffd"}));  // no UTF-8
}

// By hand: 5 of 6 words, 3 of 5 pairs, 2 of 4 triples and 1 of 3 quadruples match.
TEST(Bleu, IsMultiBleuOnTokens) {
  const Lines hypotheses = {"the cat sat on a mat"};
  const std::vector<Lines> references = {{"the cat sat on the mat"}};
  const Bleu found = multi_bleu(hypotheses, references);
  EXPECT_EQ(multi_bleu_text(found),
            "BLEU = 53.73, 83.3/60.0/50.0/33.3 (BP=1.000, ratio=1.000, hyp_len=6, ref_len=6)");
  // A wide space is no space to the script, and a p_4 of zero makes BLEU zero.
  const Lines wide = {"the cat\u00a0sat on a mat"};
  EXPECT_EQ(multi_bleu_text(multi_bleu(wide, references)),
            "BLEU = 0.00, 60.0/0.0/0.0/0.0 (BP=0.819, ratio=0.833, hyp_len=5, ref_len=6)");
}

TEST(Bleu, TakesTheReferenceNearestInLength) {
  const Lines hypotheses = {"a b c d"};
  const std::vector<Lines> references = {{"a b c d e f g", "a b c d e", "a b c"}};
  EXPECT_EQ(bleu(hypotheses, references).reference_length, 3);
}

TEST(Bleu, OfNothingIsZero) {
  EXPECT_EQ(bleu({}, {}).score, 0);
  EXPECT_EQ(multi_bleu_text(multi_bleu({}, {})),
            "BLEU = 0.00, 0.0/0.0/0.0/0.0 (BP=1.000, ratio=0.000, hyp_len=0, ref_len=0)");
}

TEST(Bleu, RefusesLinesWithoutReferences) {
  const Lines one = {"a"};
  const std::vector<Lines> none = {{}};
  EXPECT_THROW(bleu(one, {}), Error);
  EXPECT_THROW(bleu(one, none), Error);
}

}  // namespace
}  // namespace fovea
