/// Equal to Hugging Face's `tokenizers`, token for token.
#include "fovea/tokenizers/hub_tokenizer.h"

#include <algorithm>
#include <thread>

#include "fovea/tokenizers/tokenizer_testing.h"

namespace fovea {
namespace {

class TokenizerKinds : public testing::TestWithParam<std::string> {
 protected:
  HubTokenizer tokenizer = HubTokenizer::load(tokenizer_fixtures / GetParam());
  Json expected = parse_json_file(tokenizer_fixtures / GetParam() / "expected.json");
  std::vector<std::string> lines = odd_lines();
};

std::vector<std::uint32_t> flat(const std::vector<hub::Span>& spans) {
  std::vector<std::uint32_t> all;
  for (const auto& [begin, end] : spans) all.insert(all.end(), {begin, end});
  return all;
}

TEST_P(TokenizerKinds, LinesGiveTheSameTokens) {
  ASSERT_EQ(expected["single"].size(), lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    SCOPED_TRACE("line " + std::to_string(i) + ": " + lines[i]);
    const Json& wanted = expected["single"][i];
    const HubEncoding found = tokenizer.encode(lines[i]);
    EXPECT_EQ(found.ids, wanted[0].get<Ids>());
    EXPECT_EQ(flat(found.offsets), wanted[1].get<std::vector<std::uint32_t>>());
    EXPECT_EQ(tokenizer.decode(found.ids), wanted[2].get<std::string>());
    EXPECT_EQ(tokenizer.decode(found.ids, false), wanted[3].get<std::string>());
  }
}

TEST_P(TokenizerKinds, PairsGiveTheSameTokens) {
  for (std::size_t i = 0; i < expected["pairs"].size(); ++i) {
    const Json& wanted = expected["pairs"][i];
    const HubEncoding found = tokenizer.encode_pair(lines[i], lines[i + 1]);
    EXPECT_EQ(found.ids, wanted[0].get<Ids>()) << i;
    EXPECT_EQ(found.type_ids, wanted[1].get<std::vector<std::int32_t>>()) << i;
    std::vector<hub::Span> first;
    for (std::size_t t = 0; t < found.ids.size(); ++t) {
      if (found.source[t] != 1) first.push_back(found.offsets[t]);
    }
    EXPECT_EQ(flat(first), wanted[2].get<std::vector<std::uint32_t>>()) << i;
  }
}

TEST_P(TokenizerKinds, TokensAndIdsAreTheSameThing) {
  for (const std::string& line : lines) {
    const HubEncoding found = tokenizer.encode(line);
    for (std::size_t t = 0; t < found.ids.size(); ++t) {
      EXPECT_EQ(tokenizer.token(found.ids[t]), found.tokens[t]);
      EXPECT_EQ(tokenizer.id(found.tokens[t]), found.ids[t]);
      EXPECT_LT(found.ids[t], tokenizer.size());
    }
  }
}

TEST_P(TokenizerKinds, ThreadsSeeTheSame) {
  std::vector<Ids> wanted;
  for (const std::string& line : lines) wanted.push_back(tokenizer.encode(line).ids);
  const HubTokenizer fresh = HubTokenizer::load(tokenizer_fixtures / GetParam());
  std::vector<int> different(4);
  std::vector<std::thread> threads;
  for (int& count : different) {
    threads.emplace_back([&] {
      for (std::size_t i = 0; i < lines.size(); ++i)
        count += fresh.encode(lines[i]).ids != wanted[i];
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(different, std::vector<int>(4));
}

/// A long text goes another way than its words: both give the same.
TEST_P(TokenizerKinds, AnyNumberOfBytesIsTaken) {
  std::string text;
  for (const std::string& line : lines) text += line + " ";
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{777}, text.size()}) {
    const HubEncoding found = tokenizer.encode(text.substr(0, size));  // may cut a character
    for (const auto& [begin, end] : found.offsets) {
      EXPECT_LE(begin, end);
      EXPECT_LE(end, size);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, TokenizerKinds, testing::ValuesIn(tokenizer_kinds),
                         [](const auto& kind) { return kind.param; });

TEST(HubTokenizer, OddBytesCountAsReplacementsWithTheirOwnOffsets) {
  const auto tokenizer = HubTokenizer::load(tokenizer_fixtures / "gpt2");
  const HubEncoding odd = tokenizer.encode("a\xFF\xC3z"),
                    plain = tokenizer.encode("a\uFFFD\uFFFDz");
  EXPECT_EQ(odd.ids, plain.ids);
  EXPECT_EQ(odd.offsets.front(), (hub::Span{0, 1}));
  EXPECT_EQ(odd.offsets[1], (hub::Span{1, 2}));
  EXPECT_EQ(odd.offsets.back(), (hub::Span{3, 4}));
}

TEST(HubTokenizer, KnowsTokensWithADuty) {
  const auto bert = HubTokenizer::load(tokenizer_fixtures / "bert");
  EXPECT_EQ(bert.special_ids().cls, bert.id("[CLS]"));
  EXPECT_EQ(bert.special_ids().sep, bert.id("[SEP]"));
  EXPECT_EQ(bert.special_ids().mask, bert.id("[MASK]"));
  EXPECT_EQ(bert.special_ids().pad, bert.id("[PAD]"));
  EXPECT_EQ(bert.special_ids().unknown, bert.id("[UNK]"));
  EXPECT_EQ(bert.special_ids().begin, -1);
  EXPECT_TRUE(bert.is_special(bert.special_ids().mask));
  EXPECT_FALSE(bert.is_special(*bert.id("<word>")));
  EXPECT_FALSE(bert.max_length());
}

TEST(HubTokenizer, LongTextsLoseTheirEnd) {
  const auto bert = HubTokenizer::load(tokenizer_fixtures / "bert");
  const Ids all = bert.encode("the dog and the other dogs play").ids;
  const HubEncoding cut = bert.encode("the dog and the other dogs play", {.max_length = 5});
  ASSERT_EQ(cut.ids.size(), 5u);
  EXPECT_TRUE(std::equal(all.begin(), all.begin() + 4, cut.ids.begin()));
  EXPECT_EQ(cut.ids.back(), bert.special_ids().sep);
  // As `tokenizers` cuts pairs, the longest first: 9 tokens of text.
  const auto lengths = [&](const char* a, const char* b) {
    const HubEncoding pair = bert.encode_pair(a, b, {.max_length = 12});
    EXPECT_LE(pair.ids.size(), 12u);
    return std::pair(std::count(pair.source.begin(), pair.source.end(), 0),
                     std::count(pair.source.begin(), pair.source.end(), 1));
  };
  const char* many = "the the the the the the the the the the the the";
  EXPECT_EQ(lengths(many, "the the"), std::pair(7L, 2L));
  EXPECT_EQ(lengths("the the", many), std::pair(2L, 7L));
  EXPECT_EQ(lengths(many, many), std::pair(4L, 5L));
  EXPECT_EQ(lengths("the", "the"), std::pair(1L, 1L));
}

TEST(HubTokenizer, SpecialTokensAreLeftOutIfSoWanted) {
  const auto bert = HubTokenizer::load(tokenizer_fixtures / "bert");
  const HubEncoding bare = bert.encode("the dog", {.special = false});
  EXPECT_EQ(bert.decode(bare.ids, false), "the dog");
}

TEST(HubTokenizer, IdsThatNoTokenHasDecodeToNothing) {
  const auto bert = HubTokenizer::load(tokenizer_fixtures / "bert");
  const Ids ids = {*bert.id("the"), -1, 1 << 30, static_cast<std::int32_t>(bert.size())};
  EXPECT_EQ(bert.decode(ids), "the");
  EXPECT_EQ(bert.token(-1), "");
  EXPECT_FALSE(bert.id("no such token"));
}

}  // namespace
}  // namespace fovea
