#include "fovea/text/segment.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "fovea/text/split.h"
#include "fovea/text/text_testing.h"

namespace fovea {
namespace {

using text::PieceTable;

TEST(SegmentBpe, WithoutDropoutIsWhatSentencePieceDoes) {
  std::vector<std::string> lines = sentences(300);
  for (int i = 0; i < 50; ++i) lines.push_back("☃ banana bananas anana nanan");
  const Tokenizer tokenizer = Tokenizer::train({.vocabulary = 400, .coverage = 1}, lines_of(lines));
  std::vector<PieceTable::Piece> pieces;
  for (std::int32_t id = 3; id < tokenizer.size(); ++id) {
    pieces.push_back({tokenizer.piece(id), static_cast<float>(-id)});
  }
  const PieceTable table(std::move(pieces));
  std::vector<std::string> seen = sentences(500, 2);
  for (const char* odd : {"", "aaaaaaaa", "☂☂ a☂☂b", "Bananananas unserer Größenordnung",
                          "1,80 m!?", "ананас банан"}) {
    seen.push_back(odd);
  }
  for (const std::string& line : seen) {
    Ids ours;
    text::Chance chance{};
    text::for_each_word(line, [&](std::string_view word) {
      text::segment_bpe(table, "▁" + std::string(word), 0, chance, ours);
    });
    for (std::int32_t& unit : ours) unit += unit < 0 ? 1 : 3;
    EXPECT_EQ(ours, tokenizer.encode(line)) << line;
    EXPECT_EQ(chance.used, 0U);
  }
}

/// "▁ab" of "▁", "a", "b", "ab" (first) and "▁ab": with dropout p, by hand. Only "ab" may be merged
/// at first: dropped (p), three pieces remain. Else "▁ab" may: dropped, two remain.
TEST(SegmentBpe, DropsAsOftenAsItShould) {
  const PieceTable table({{"▁", -10}, {"a", -11}, {"b", -12}, {"ab", 0}, {"▁ab", -1}});
  const double p = 0.3;
  const int rounds = 20'000;
  std::map<Ids, int> counts;
  for (int i = 0; i < rounds; ++i) {
    text::Chance chance{{5, static_cast<std::uint64_t>(i)}};
    Ids units;
    text::segment_bpe(table, "▁ab", p, chance, units);
    ++counts[units];
  }
  ASSERT_EQ(counts.size(), 3U);
  EXPECT_NEAR((counts[{0, 1, 2}]) / double(rounds), p, 0.01);
  EXPECT_NEAR((counts[{0, 3}]) / double(rounds), (1 - p) * p, 0.01);
  EXPECT_NEAR((counts[{4}]) / double(rounds), (1 - p) * (1 - p), 0.01);
}

TEST(SegmentUnigram, DrawsInProportion) {
  const PieceTable table({{"a", -1}, {"b", -2}, {"c", -1.5}, {"ab", -2.5}, {"bc", -3}});
  const std::map<Ids, double> scores = {{{0, 1, 2}, -4.5}, {{3, 2}, -4}, {{0, 4}, -4}};
  for (const double alpha : {0.0, 0.5, 1.0, 3.0}) {
    double total = 0;
    for (const auto& [ids, score] : scores) total += std::exp(alpha * score);
    const int rounds = 20'000;
    std::map<Ids, int> counts;
    for (int i = 0; i < rounds; ++i) {
      text::Chance chance{{6, static_cast<std::uint64_t>(i)}};
      Ids units;
      text::segment_unigram(table, "abc", alpha, chance, units);
      ++counts[units];
    }
    ASSERT_EQ(counts.size(), 3U);
    for (const auto& [ids, score] : scores) {
      EXPECT_NEAR(counts[ids] / double(rounds), std::exp(alpha * score) / total, 0.015);
    }
  }
}

TEST(PieceTable, RefusesWhatIsNone) {
  EXPECT_THROW(PieceTable({{"", 0}}), Error);
  EXPECT_THROW(PieceTable({{"\xff", 0}}), Error);
  EXPECT_THROW(PieceTable({{"a", 0}, {"a", -1}}), Error);
  EXPECT_THROW(PieceTable({{"a", std::nanf("")}}), Error);
  EXPECT_THROW(text::piece_units(TokenizerKind::bpe, {{}, "no model"}), Error);
}

TEST(Sample, IsAFunctionOfItsDraws) {
  for (const TokenizerKind kind : {TokenizerKind::bpe, TokenizerKind::unigram}) {
    const Tokenizer tokenizer = trained({.kind = kind, .vocabulary = 250, .coverage = 1});
    const double dropout = kind == TokenizerKind::bpe ? 0.1 : 0.7;
    int differ = 0;
    for (const std::string& line : sentences(100, 3)) {
      const Ids one = tokenizer.sample(line, {1, 1}, dropout);
      EXPECT_EQ(one, tokenizer.sample(line, {1, 1}, dropout));
      EXPECT_EQ(tokenizer.decode(one), line);
      EXPECT_EQ(tokenizer.sample(line, {1, 1}, 0), tokenizer.encode(line));
      differ += one != tokenizer.sample(line, {1, 2}, dropout);
    }
    EXPECT_GT(differ, 50);
    EXPECT_THROW(tokenizer.sample("a", {}, 1.5), Error);
    EXPECT_THROW(tokenizer.sample("a", {}, std::nan("")), Error);
  }
  const Tokenizer bpe = trained({.vocabulary = 250, .coverage = 1});
  EXPECT_EQ(bpe.sample("Ein Mädchen", {}, 1).size(),
            12U);  // characters, and a mark before each word
}

}  // namespace
}  // namespace fovea
