/// Tokenizers of Hugging Face's models as tokenizers of tasks.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "fovea/base/check.h"
#include "fovea/text/tokenizer.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

Tokenizer hub(const std::string& name, Dim vocabulary = 0) {
  return Tokenizer::of(HubTokenizer::load(fs::path(FOVEA_FIXTURES) / "tokenizers" / name),
                       vocabulary);
}

std::vector<std::string> shown(const Tokenizer& tokenizer, const Ids& ids) {
  std::vector<std::string> all;
  for (const std::int32_t id : ids) all.push_back(tokenizer.piece(id));
  return all;
}

TEST(HubKind, WhatTextSpellsIsText) {
  for (const char* name : {"bert", "bert_cased", "roberta", "gpt2", "llama2", "llama3", "t5"}) {
    SCOPED_TRACE(name);
    const Tokenizer tokenizer = hub(name);
    for (const std::int32_t id :
         tokenizer.encode("[CLS] [SEP] [MASK] <s> </s> <mask> <|endoftext|> <|begin_of_text|>")) {
      EXPECT_FALSE(tokenizer.is_control(id)) << tokenizer.piece(id);
    }
    EXPECT_TRUE(tokenizer.is_control(tokenizer.special().end));
    EXPECT_EQ(tokenizer.decode(std::vector{tokenizer.special().end}), "");
  }
}

TEST(HubKind, LayoutsAreThoseOfTheModels) {
  const Tokenizer bert = hub("bert"), roberta = hub("roberta"), gpt = hub("gpt2"),
                  llama = hub("llama2");
  EXPECT_EQ(shown(bert, bert.layout().before), (std::vector<std::string>{"[CLS]"}));
  EXPECT_EQ(shown(bert, bert.layout().between), (std::vector<std::string>{"[SEP]"}));
  EXPECT_EQ(bert.layout().second_kind, 1);
  EXPECT_EQ(bert.layout().pair_count(), 3);
  EXPECT_EQ(shown(roberta, roberta.layout().between), (std::vector<std::string>{"</s>", "</s>"}));
  EXPECT_EQ(roberta.layout().second_kind, 0);
  EXPECT_EQ(gpt.layout().single_count(), 0);
  EXPECT_EQ(shown(llama, llama.layout().before), (std::vector<std::string>{"<s>"}));
}

TEST(HubKind, MasksAreFoundWhereTheyAreAskedFor) {
  const Tokenizer bert = hub("bert"), roberta = hub("roberta");
  const auto masks = [](const Tokenizer& tokenizer, const char* text) {
    const Ids ids = tokenizer.encode_masked(text);
    return std::count(ids.begin(), ids.end(), *tokenizer.control(mask_name));
  };
  EXPECT_EQ(masks(bert, "a [MASK] b[MASK] [SEP]"), 2);
  EXPECT_EQ(masks(roberta, "a [MASK] b <mask> </s>"), 2);
  EXPECT_EQ(roberta.encode_masked("the [MASK]"), roberta.encode_masked("the <mask>"));
  EXPECT_THROW(hub("gpt2").encode_masked("a [MASK]"), Error);
}

TEST(HubKind, WordsKeepTheirTokens) {
  for (const char* name : {"bert", "roberta", "gpt2", "llama2", "t5"}) {
    SCOPED_TRACE(name);
    const Tokenizer tokenizer = hub(name);
    const std::vector<std::string> words = {"The", "quick,", "fox's", "café", "\u200b", "dogs"};
    const std::vector<Ids> of_words = tokenizer.encode_words(words);
    ASSERT_EQ(of_words.size(), words.size());
    Ids joined;
    for (const Ids& ids : of_words) joined.insert(joined.end(), ids.begin(), ids.end());
    EXPECT_EQ(joined, tokenizer.encode("The quick, fox's café \u200b dogs"));
    EXPECT_FALSE(of_words.front().empty());
    EXPECT_FALSE(of_words.back().empty());
  }
}

TEST(HubKind, PlacesAreBytesOfTheText) {
  const Tokenizer tokenizer = hub("bert");
  const std::string text = "Thé DOG";
  const auto placed = tokenizer.encode_placed(text);
  ASSERT_TRUE(placed);
  ASSERT_EQ(placed->ids, tokenizer.encode(text));
  EXPECT_EQ(placed->places.front().begin, 0U);
  EXPECT_EQ(placed->places.back().end, text.size());
}

TEST(HubKind, WordsOfTokensAreThoseOfTheText) {
  for (const char* name : {"bert", "gpt2", "llama2"}) {
    SCOPED_TRACE(name);
    const Tokenizer tokenizer = hub(name);
    Ids ids = tokenizer.encode("the quick brown fox");
    ids.push_back(tokenizer.special().end);
    const std::vector<Dim> words = tokenizer.words(ids);
    EXPECT_EQ(words.front(), 0);
    EXPECT_EQ(words.back(), 4);
  }
}

TEST(HubKind, FoldersKeepIt) {
  const fs::path folder = fs::path(::testing::TempDir()) / concat("hub_kind.", ::getpid());
  fs::create_directories(folder);
  const Tokenizer tokenizer = hub("roberta", 400);
  tokenizer.save(folder, "words");
  const Tokenizer loaded = Tokenizer::load(folder, "words");
  EXPECT_EQ(loaded.size(), 400);
  EXPECT_EQ(loaded.config().kind, TokenizerKind::hub);
  EXPECT_EQ(loaded.encode("It isn't here 😀"), tokenizer.encode("It isn't here 😀"));
  EXPECT_EQ(loaded.special().end, tokenizer.special().end);
  EXPECT_TRUE(loaded.is_control(399));  // no token has it
  fs::remove_all(folder);
}

TEST(HubKind, SaysWhatDoesNotFit) {
  EXPECT_THROW(hub("bert", 200), Error);  // tokens that the model would not know
  EXPECT_THROW(Tokenizer::train({.kind = TokenizerKind::hub}, [](std::string&) { return false; }),
               Error);
  EXPECT_THROW(hub("bert").piece(100'000), Error);
}

}  // namespace
}  // namespace fovea
