#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "fovea/tokenizers/aligned_text.h"
#include "fovea/tokenizers/char_class.h"
#include "fovea/tokenizers/pattern.h"
#include "fovea/tokenizers/string_ids.h"
#include "fovea/tokenizers/trie.h"
#include "fovea/unicode/utf8.h"

namespace fovea::hub {
namespace {

TEST(AlignedText, RemembersOriginsThroughRewrites) {
  AlignedText text("aé中b", 10);  // bytes 10, 11-13, 13-16, 16
  EXPECT_EQ(text.origin(0, 1), (Span{10, 11}));
  EXPECT_EQ(text.origin(2, 3), (Span{11, 13}));  // a part of a character is all of it
  Rewrite rewrite(text);
  rewrite.keep(0, 3);
  rewrite.put("<>", 3);
  rewrite.keep(6, 7);
  text = rewrite.done();
  EXPECT_EQ(text.text(), "aé<>b");
  EXPECT_EQ(text.origin(3, 5), (Span{13, 16}));
  EXPECT_EQ(text.origin(1, 6), (Span{11, 17}));
}

TEST(AlignedText, ChangesTakePlacesInTurn) {
  AlignedText text("abcde", 0);
  apply_changes({{U'X', 0}, {U'Y', 1}, {U'Z', -2}, {U'W', 0}}, text);
  EXPECT_EQ(text.text(), "XYZW");
  EXPECT_EQ(text.origin(0, 1), (Span{0, 1}));
  EXPECT_EQ(text.origin(1, 2), (Span{0, 1}));  // put in: stands with what is before it
  EXPECT_EQ(text.origin(2, 3), (Span{1, 2}));
  EXPECT_EQ(text.origin(3, 4), (Span{4, 5}));
}

/// Words over few letters, so that many are prefixes of others.
std::vector<std::string> many_words() {
  std::vector<std::string> words;
  std::uint32_t seed = 1;
  for (int i = 0; i < 3000; ++i) {
    std::string word;
    seed = seed * 1664525u + 1013904223u;
    for (std::uint32_t n = 1 + (seed >> 8) % 9; n > 0; --n) {
      seed = seed * 1664525u + 1013904223u;
      word += static_cast<char>((seed >> 16) % 7 == 0 ? seed >> 20 : 'a' + (seed >> 24) % 3);
    }
    words.push_back(word);
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

TEST(Trie, FindsTheLongestKeyLikeAMap) {
  const auto words = many_words();
  std::map<std::string, std::int32_t> map;
  std::vector<Trie::Key> keys;
  for (std::size_t i = 0; i < words.size(); i += 2) map[words[i]] = static_cast<std::int32_t>(i);
  for (const auto& [word, id] : map) keys.emplace_back(word, id);
  const Trie trie(keys);
  for (const std::string& word : words) {
    const std::string text = word + "abcabc";
    Trie::Match wanted;
    for (std::size_t n = 1; n <= text.size(); ++n) {
      const auto found = map.find(text.substr(0, n));
      if (found != map.end()) wanted = {found->second, n};
    }
    const Trie::Match found = trie.longest(text);
    EXPECT_EQ(found.value, wanted.value);
    EXPECT_EQ(found.size, wanted.size);
  }
  EXPECT_EQ(Trie().longest("a").size, 0u);
}

TEST(StringIds, FindsWhatWasAdded) {
  StringIds ids;
  const auto words = many_words();
  for (std::size_t i = 0; i < words.size(); ++i) {
    EXPECT_TRUE(ids.add(words[i], static_cast<std::int32_t>(i)));
    EXPECT_FALSE(ids.add(words[i], 0));
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    EXPECT_EQ(ids.find(words[i]), static_cast<std::int32_t>(i));
  }
  EXPECT_EQ(ids.find("no such word at all"), no_id);
}

TEST(Vocabulary, RefusesSameIdsSameTextsAndLonelyIds) {
  Vocabulary vocabulary;
  vocabulary.add("a", 0, "vocab");
  EXPECT_THROW(vocabulary.add("b", 0, "vocab"), Error);
  EXPECT_THROW(vocabulary.add("a", 1, "vocab"), Error);
  EXPECT_THROW(vocabulary.add("c", -1, "vocab"), Error);
  EXPECT_THROW(vocabulary.add("c", 2'000'000'000, "vocab"), Error);
  vocabulary.add("c", 5, "vocab");
  EXPECT_EQ(vocabulary.text(5), "c");
  EXPECT_FALSE(vocabulary.has(3));
}

/// The code for a known expression gives what ICU gives for the expression.
TEST(Pattern, KnownExpressionsMatchAsIcuReadsThem) {
  const std::vector<std::string> expressions = {
      R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)",
      R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
      R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"};
  const std::u32string letters = U" \t\r\n\u00A0'stSTrevmlLd\u017Fé中1٣²_.-\u0301😀";
  for (const std::string& expression : expressions) {
    const auto known = known_pattern(expression);
    ASSERT_NE(known, nullptr);
    const Json json = {{"Regex", "(?:" + expression + ")"}};  // so written nobody knows it
    const auto icu = read_pattern(JsonPart(json, "test"));
    std::uint32_t seed = 1;
    for (int i = 0; i < 3000; ++i) {
      std::string text;
      for (int n = 0; n < 12; ++n) {
        seed = seed * 1664525u + 1013904223u;
        append_utf8(text, letters[(seed >> 16) % letters.size()]);
      }
      std::vector<Span> found, wanted;
      known->find(text, found);
      icu->find(text, wanted);
      ASSERT_EQ(found, wanted) << text;
    }
  }
}

TEST(CharClass, AsciiIsAsUnicodeSays) {
  for (char32_t c = 0; c < 0x80; ++c) {
    const char one = static_cast<char>(c);
    EXPECT_EQ(is_letter(c),
              std::string("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ").find(one) !=
                  std::string::npos);
    EXPECT_EQ(is_white(c), fovea::is_space(c));
    EXPECT_EQ(is_word(c), is_letter(c) || is_number(c) || c == '_');
    EXPECT_EQ(is_punctuation(c), c > ' ' && c < 0x7F && !is_letter(c) && !is_number(c));
  }
}

}  // namespace
}  // namespace fovea::hub
