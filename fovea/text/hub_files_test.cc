/// Tokenizers learned here, written as Hugging Face's tokenizer.json and read back: the same ids.
#include <gtest/gtest.h>
#include <unistd.h>

#include "fovea/text/text_testing.h"
#include "fovea/text/tokenizer.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> lines = {"Two dogs play on the beach.",
                                        "Der Hund läuft am Strand; er bellt.",
                                        "A man in a blue shirt is standing.",
                                        "Ein Mann mit einem blauen Hemd steht.",
                                        "Several women wait outside in a city",
                                        "the the the then there these those",
                                        "  spaces   between\twords ",
                                        "Straße ﬁne ½ x² ＡＢＣ",
                                        "unknown: 漢字 and 😀 within",
                                        "",
                                        "▁marks ▁ of ▁▁ spaces",
                                        "aaaaaaa bananananas"};

Tokenizer learned(TokenizerKind kind, bool lowercase) {
  std::size_t at = 0;
  return Tokenizer::train(
      {.kind = kind, .vocabulary = 160, .lowercase = lowercase, .coverage = 0.98},
      [&](std::string& line) {
        if (at == 8 * 20) return false;
        line = lines[at++ % 8];
        return true;
      });
}

class HubFiles : public ::testing::TestWithParam<std::tuple<TokenizerKind, bool>> {
 protected:
  HubFiles() : folder(fs::path(::testing::TempDir()) / concat("hub-files.", ::getpid())) {
    fs::create_directories(folder);
  }
  ~HubFiles() override { fs::remove_all(folder); }
  fs::path folder;
};

TEST_P(HubFiles, GiveTheSameIds) {
  const auto [kind, lowercase] = GetParam();
  const Tokenizer ours = learned(kind, lowercase);
  ASSERT_TRUE(ours.save_for_hub(folder, 64, true));
  const HubTokenizer theirs = HubTokenizer::load(folder);
  EXPECT_EQ(theirs.size(), ours.size());
  for (const std::string& line : lines) {
    Ids expected = ours.encode(line);
    expected.insert(expected.begin(), ours.special().begin);
    expected.push_back(ours.special().end);
    EXPECT_EQ(theirs.encode(line).ids, expected) << line;
  }
  const Ids ids = ours.encode(lines[0]);
  EXPECT_EQ(theirs.decode(ids), ours.decode(ids));
}

INSTANTIATE_TEST_SUITE_P(Kinds, HubFiles,
                         ::testing::Combine(::testing::Values(TokenizerKind::bpe,
                                                              TokenizerKind::unigram),
                                            ::testing::Bool()));

TEST(HubFilesOfOthers, OnlyPiecesHaveSuchFiles) {
  std::size_t at = 0;
  const Tokenizer words =
      Tokenizer::train({.kind = TokenizerKind::words, .vocabulary = 0}, [&](std::string& line) {
        line = lines[0];
        return at++ == 0;
      });
  EXPECT_FALSE(words.save_for_hub("/nowhere", 64, true));
  EXPECT_FALSE(words.padding());
}

}  // namespace
}  // namespace fovea
