#include "fovea/tasks/language/text_flow.h"

#include "fovea/tasks/task_testing.h"

namespace fovea {
namespace {

constexpr std::string_view kText = "the cat sat\nthe dog\n\nthe cat\n";

TextFlow flow(TokenizerKind kind) {
  return TextFlow(
      learn_flow({.kind = kind, .vocabulary = kind == TokenizerKind::bpe ? 24 : 0}, kText));
}

TEST(TextFlow, LinesComeBack) {
  for (const TokenizerKind kind : {TokenizerKind::characters, TokenizerKind::bytes,
                                   TokenizerKind::words, TokenizerKind::bpe}) {
    const TextFlow text = flow(kind);
    EXPECT_EQ(text.decode(text.encode(kText)), kText);
    EXPECT_EQ(text.encode("\n"), Ids{text.line_end()});
    EXPECT_EQ(text.piece(text.line_end()), "↵");
    const Ids never = text.never_written();
    EXPECT_EQ(std::count(never.begin(), never.end(), text.line_end()), 0);
    EXPECT_EQ(std::count(never.begin(), never.end(), SpecialIds().unknown), 1);
  }
}

TEST(TextFlow, TheEndOfALineOfWordsIsAToken) {
  const TextFlow text = flow(TokenizerKind::words);
  const Ids ids = text.encode("the cat\nbird");
  EXPECT_EQ(ids.size(), 4U);
  EXPECT_EQ(ids[2], SpecialIds().end);
  EXPECT_EQ(ids[3], SpecialIds().unknown);
}

TEST(TextFlow, ContinuationsKeepTheirSpaces) {
  for (const TokenizerKind kind :
       {TokenizerKind::characters, TokenizerKind::words, TokenizerKind::bpe}) {
    const TextFlow text = flow(kind);
    const std::size_t prompt = text.encode("the cat").size();
    EXPECT_EQ(text.continuation(text.encode("the cat sat\nthe"), prompt), " sat\nthe");
    EXPECT_EQ(text.continuation(text.encode("the cat"), prompt), "");
  }
}

TEST(TextFlow, PartsAreToldByPosition) {
  const std::filesystem::path folder = ::testing::TempDir();
  std::ofstream(folder / "flow.txt") << "abcdefgh\nijklmnöpq";
  DataParts data;
  data.train = {"flow.txt"};
  data.split = {.dev = 0.2, .test = 0.2};
  const auto read = [&](Part part) {
    DataParts located = data;
    locate(located, folder);
    return read_text(located, part);
  };
  // 20 bytes with the last line's end; the place at 16 is within the ö.
  EXPECT_EQ(read(Part::train), "abcdefgh\nijk");
  EXPECT_EQ(read(Part::dev), "lmnö");
  EXPECT_EQ(read(Part::test), "pq\n");
  EXPECT_EQ(count_characters("lmnö"), 4);
  data.test = {"flow.txt", "flow.txt"};
  EXPECT_EQ(read(Part::train), "abcdefgh\nijklmn\u00f6");
  EXPECT_EQ(read(Part::test), "abcdefgh\nijklmnöpq\nabcdefgh\nijklmnöpq\n");
  std::ofstream(folder / "empty.txt") << "";
  data.test = {"empty.txt"};
  EXPECT_THROW(read(Part::test), Error);
}

}  // namespace
}  // namespace fovea
