#include "fovea/tasks/language/text_flow.h"

#include "fovea/tasks/language/generate.h"
#include "fovea/tasks/task_testing.h"

namespace fovea {
namespace {

constexpr std::string_view kText = "the cat sat\nthe dog\n\nthe cat\n";

TextFlow flow(TokenizerKind kind) {
  return TextFlow::train({.kind = kind, .vocabulary = kind == TokenizerKind::bpe ? 24 : 0}, kText);
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
  // 20 bytes with the last line's end; the place at 16 is within the ö.
  EXPECT_EQ(read_text(data, Part::train, folder), "abcdefgh\nijk");
  EXPECT_EQ(read_text(data, Part::dev, folder), "lmnö");
  EXPECT_EQ(read_text(data, Part::test, folder), "pq\n");
  EXPECT_EQ(count_characters("lmnö"), 4);
  data.test = {"flow.txt", "flow.txt"};
  EXPECT_EQ(read_text(data, Part::train, folder), "abcdefgh\nijklmn\u00f6");
  EXPECT_EQ(read_text(data, Part::test, folder), "abcdefgh\nijklmnöpq\nabcdefgh\nijklmnöpq\n");
  std::ofstream(folder / "empty.txt") << "";
  data.test = {"empty.txt"};
  EXPECT_THROW(read_text(data, Part::test, folder), Error);
}

/// What a stream has given after each growth of a text.
std::vector<std::string> given(const std::vector<std::string>& stops,
                               const std::vector<std::string>& growths) {
  std::string all;
  std::vector<std::string> after;
  TextStream stream(stops, [&](std::string_view piece) { all += piece; });
  for (const std::string& text : growths) {
    const bool stopped = stream.grow(text);
    after.push_back(all + (stopped ? "!" : ""));
  }
  return after;
}

TEST(TextStream, HoldsBackWhatMayBeAStop) {
  EXPECT_EQ(given({"END"}, {"a", "aE", "aEN", "aENx", "aENxEND"}),
            (std::vector<std::string>{"a", "a", "a", "aENx", "aENx!"}));
  EXPECT_EQ(given({"\n\n", "b"}, {"a\n", "a\nc", "a\ncb"}),
            (std::vector<std::string>{"a", "a\nc", "a\nc!"}));
  EXPECT_EQ(given({}, {"a\uFFFD", "aö"}), (std::vector<std::string>{"a", "aö"}));
  EXPECT_EQ(given({}, {"a\uFFFD", "a\uFFFD\uFFFD", "a\uFFFD\uFFFD\uFFFD", "a😀", "a😀b"}),
            (std::vector<std::string>{"a", "a", "a", "a😀", "a😀b"}));
}

TEST(TextStream, TheFirstStopCounts) {
  const std::vector<std::string> stops = {"yy", "x"};
  EXPECT_EQ(before_stop("axbyy", stops), "a");
  EXPECT_EQ(before_stop("ayybx", stops), "a");
  EXPECT_EQ(before_stop("ayb", stops), "ayb");
  EXPECT_EQ(before_stop("ab", {}), "ab");
}

}  // namespace
}  // namespace fovea
