#include "fovea/text/tokenizer.h"

#include <gtest/gtest.h>

#include <ctime>
#include <set>

#include "fovea/base/check.h"
#include "fovea/text/text_testing.h"
#include "fovea/unicode/utf8.h"

namespace fovea {
namespace {

using Kind = TokenizerKind;

std::string name_of(Kind kind) {
  return std::string(names_of(kind)[static_cast<std::size_t>(kind)]);
}

class EachKind : public testing::TestWithParam<Kind> {
 protected:
  TokenizerConfig config(Dim vocabulary = 300) const {
    return {.kind = GetParam(), .vocabulary = vocabulary, .coverage = 1};
  }
};
INSTANTIATE_TEST_SUITE_P(Tokenizer, EachKind, testing::ValuesIn(all_kinds),
                         [](const auto& info) { return name_of(info.param); });

TEST_P(EachKind, GivesBackWhatItWasGiven) {
  const Tokenizer tokenizer = trained(config());
  for (const std::string& sentence : sentences(400)) {
    const Ids ids = tokenizer.encode(sentence);
    for (const std::int32_t id : ids) {
      ASSERT_GE(id, 3);
      ASSERT_LT(id, tokenizer.size());
    }
    ASSERT_EQ(tokenizer.decode(ids), sentence);
  }
  EXPECT_EQ(tokenizer.encode(""), Ids());
  EXPECT_EQ(tokenizer.decode({}), "");
  EXPECT_TRUE(tokenizer.words({}).empty());
}

TEST_P(EachKind, IsTheSameEachTime) {
  const Tokenizer one = trained(config()), two = trained(config());
  ASSERT_EQ(one.size(), two.size());
  for (std::int32_t id = 0; id < one.size(); ++id) EXPECT_EQ(one.piece(id), two.piece(id));
}

TEST_P(EachKind, TakesControlSymbolsInTextAsData) {
  std::vector<std::string> text = sentences(200);
  for (int i = 0; i < 50; ++i)
    text.push_back("<s> </s> <unk> <r2l> ▁ ▅unknown ▅begin <s></s><r2l>");
  TokenizerConfig with = config();
  with.controls = {"<r2l>", "x", "▁"};
  const Tokenizer tokenizer = Tokenizer::train(with, lines_of(text));
  EXPECT_EQ(tokenizer.control("<r2l>"), 3);
  EXPECT_EQ(tokenizer.control("x"), 4);
  EXPECT_EQ(tokenizer.control("y"), std::nullopt);
  EXPECT_EQ(tokenizer.piece(4), "x");
  for (const char* line : {"<s>", "</s>", "<unk>", "<r2l>", "▁", "x", "▅unknown", "▅begin", "▅end",
                           "a<s>b ▁x▁ x <r2l></s>"}) {
    for (const double dropout : {0.0, 0.3}) {
      for (const std::int32_t id : tokenizer.sample(line, {7, 1}, dropout)) {
        EXPECT_TRUE(id == 0 || id >= 6) << line << " gives " << id;
      }
    }
  }
  const Ids ids = {1, 3, tokenizer.encode("A")[0], 4, 5, 2};
  EXPECT_EQ(tokenizer.decode(ids), tokenizer.decode(std::span(ids).subspan(2, 1)));
}

TEST_P(EachKind, SurvivesWhatIsNotText) {
  const Tokenizer tokenizer = trained(config());
  const std::string odd[] = {std::string("a\0b", 3), "\xff\xfe", "ab\xc3",
                             "\xed\xa0\x80",         "\t\n\r ",  "\xf4\x90\x80\x80",
                             "\u2028\u3000",         "☃☃☃ ☃",    "▁▁▁"};
  for (const std::string& text : odd) {
    EXPECT_TRUE(valid_utf8(tokenizer.normalise(text)));
    EXPECT_TRUE(valid_utf8(tokenizer.decode(tokenizer.encode(text))));
    for (const std::string& piece : tokenizer.pieces(text)) EXPECT_TRUE(valid_utf8(piece));
    EXPECT_TRUE(valid_utf8(tokenizer.decode(tokenizer.sample(text, {1, 1}, 0.5))));
  }
  EXPECT_EQ(tokenizer.normalise("ab\xc3"), "ab\ufffd");
  const Ids outside[] = {{-1}, {static_cast<std::int32_t>(tokenizer.size())}};
  for (const Ids& ids : outside) {
    EXPECT_THROW(tokenizer.decode(ids), Error);
    EXPECT_THROW(tokenizer.words(ids), Error);
    EXPECT_THROW(tokenizer.piece(ids[0]), Error);
  }
}

TEST_P(EachKind, TakesALongLineInGoodTime) {
  const Tokenizer tokenizer = trained(config());
  std::string spaced, unspaced;
  for (const std::string& sentence : sentences(2500)) spaced += sentence + " ";
  for (const char c : spaced) unspaced += c == ' ' ? 'e' : c;
  ASSERT_GE(spaced.size(), 100'000U);
  const std::clock_t start = std::clock();  // the machine may have other work
  for (const std::string& line : {spaced, unspaced}) {
    EXPECT_FALSE(tokenizer.encode(line).empty());
    EXPECT_EQ(tokenizer.decode(tokenizer.sample(line, {1, 2}, 0.1)),
              tokenizer.decode(tokenizer.encode(line)));
  }
  EXPECT_LT(std::clock() - start,
            5 * CLOCKS_PER_SEC);  // with sanitizers; without, far below a second

  std::vector<std::string> text = sentences(50);  // more characters than 16 bits count
  text.push_back(std::string(70'000, 'e'));
  EXPECT_GT(Tokenizer::train(config(), lines_of(text)).size(), 3);
}

TEST_P(EachKind, NumbersTheWords) {
  const Tokenizer tokenizer = trained(config());
  Ids ids = {SpecialIds().begin};
  const Ids text = tokenizer.encode("Zwei Männer regarde");
  ids.insert(ids.end(), text.begin(), text.end());
  ids.push_back(SpecialIds().end);
  const std::vector<Dim> words = tokenizer.words(ids);
  ASSERT_EQ(words.size(), ids.size());
  EXPECT_EQ(words.front(), 0);
  EXPECT_EQ(words.back(), 4);
  const char* expected[] = {"Zwei", "Männer", "regarde"};
  for (Dim word = 1; word <= 3; ++word) {
    Ids of_word;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (words[i] == word) of_word.push_back(ids[i]);
    }
    const std::string decoded = tokenizer.decode(of_word);
    EXPECT_EQ(decoded.substr(decoded.find_first_not_of(' ')), expected[word - 1]);
  }
}

TEST_P(EachKind, RefusesAnEmptyText) {
  if (GetParam() == Kind::bytes) return;  // learns nothing
  for (const std::vector<std::string>& lines : {std::vector<std::string>{}, {"", ""}}) {
    try {
      Tokenizer::train(config(), lines_of(lines));
      FAIL();
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("empty"), std::string::npos) << error.what();
    }
  }
}

TEST(Tokenizer, LearnsFewerPiecesFromAShortText) {
  for (const Kind kind : {Kind::bpe, Kind::unigram}) {
    const auto tokenizer =
        Tokenizer::train({.kind = kind, .vocabulary = 8000}, lines_of({"a rose is a rose"}));
    EXPECT_LT(tokenizer.size(), 100);
    EXPECT_EQ(tokenizer.decode(tokenizer.encode("is a rose")), "is a rose");
  }
}

TEST(Tokenizer, KeepsToTheSizeOfItsVocabulary) {
  for (const Kind kind : {Kind::bpe, Kind::unigram, Kind::words, Kind::characters}) {
    const Dim vocabulary = kind == Kind::characters || kind == Kind::words ? 40 : 120;
    EXPECT_EQ(trained({.kind = kind, .vocabulary = vocabulary, .controls = {"<r2l>"}}).size(),
              vocabulary);
    EXPECT_THROW(trained({.kind = kind, .vocabulary = 4, .controls = {"<r2l>"}}), Error);
  }
  EXPECT_EQ(trained({.kind = Kind::bytes, .controls = {"<r2l>"}}).size(), 260);
  EXPECT_THROW(trained({.kind = Kind::bpe, .vocabulary = 10}), Error);  // fewer than characters
  EXPECT_THROW(trained({.kind = Kind::bpe, .coverage = 0.5}), Error);
  EXPECT_THROW(trained({.controls = {"<a>", "<a>"}}), Error);
  EXPECT_THROW(trained({.controls = {"<s>"}}), Error);
}

TEST(Tokenizer, SaysHowLargeAVocabularyMustBe) {
  for (const Kind kind : {Kind::bpe, Kind::unigram}) {
    const auto learn = [&](Dim vocabulary) {
      return Tokenizer::train({.kind = kind, .vocabulary = vocabulary, .coverage = 1},
                              lines_of({"a rose is a rose", "a daisy is no rose"}));
    };
    try {
      learn(5);
      FAIL() << name_of(kind);
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(),
                   "vocabulary: 5 ids are too few for this text: each of its 9 characters needs "
                   "one, and the beginning of a word and what is no text (unknown, begin, end, "
                   "control symbols) need 4; give at least 13, or leave out rare characters by a "
                   "lower coverage");
    }
    EXPECT_EQ(learn(13).size(), 13);
  }
}

TEST(Tokenizer, CountsSymbols) {
  const auto lines = lines_of({"b a  a\u00a0c", " a b\td "});
  const auto words = Tokenizer::train({.kind = Kind::words, .min_count = 2}, lines);
  ASSERT_EQ(words.size(), 5);
  EXPECT_EQ(words.piece(3), "a");
  EXPECT_EQ(words.piece(4), "b");
  EXPECT_EQ(words.encode(" b  d a"), (Ids{4, 0, 3}));
  EXPECT_EQ(words.decode(Ids{4, 0, 3}), "b ⁇ a");
  const auto all = Tokenizer::train({.kind = Kind::words, .vocabulary = 0}, lines_of({"z y x"}));
  EXPECT_EQ(all.size(), 6);
  EXPECT_EQ(all.piece(3), "x");  // equal counts: in the order of the alphabet
  const auto bytes = trained({.kind = Kind::bytes, .controls = {"<r2l>"}});
  EXPECT_EQ(bytes.encode("aé"), (Ids{4 + 'a', 4 + 0xC3, 4 + 0xA9}));
  EXPECT_EQ(bytes.piece(4 + 0xC3), "<0xC3>");
  EXPECT_EQ(bytes.decode(Ids{4 + 'a', 4 + 0xC3}), "a\ufffd");
  EXPECT_EQ(trained({.kind = Kind::characters}).piece(3), "▁");  // the space is the most frequent
}

TEST(Words, MarksStandApart) {
  const auto one_line = [](std::string text) {
    return [text, given = false](std::string& line) mutable {
      line = text;
      return !std::exchange(given, true);
    };
  };
  const std::string text = "Don't (really) pay $5, it's 'bad'...";
  const Tokenizer apart = Tokenizer::train(
      {.kind = Kind::words, .lowercase = true, .marks_apart = true}, one_line(text));
  const std::vector<std::string> expected = {"don't", "(", "really", ")", "pay", "$", "5", ",",
                                             "it's",  "'", "bad",    "'", ".",   ".", "."};
  EXPECT_EQ(apart.pieces(text), expected);
  EXPECT_EQ(apart.encode(text).size(), expected.size());
  EXPECT_EQ(apart.encode("never , don't"),
            (Ids{SpecialIds().unknown, apart.encode(",")[0], apart.encode("don't")[0]}));
  EXPECT_EQ(apart.pieces("never ,"), (std::vector<std::string>{"never", ","}));  // also the unknown

  const Tokenizer together = Tokenizer::train({.kind = Kind::words}, one_line(text));
  EXPECT_EQ(together.pieces("pay $5, 'bad'..."),
            (std::vector<std::string>{"pay", "$5,", "'bad'..."}));
}

}  // namespace
}  // namespace fovea
