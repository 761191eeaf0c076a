#include "fovea/tasks/text_stream.h"

#include <gtest/gtest.h>

#include <vector>

namespace fovea {
namespace {

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

// Words that are put together again may change what was told: nothing is told twice.
TEST(TextStream, HoldsBackWhatDoesNotBeginWithWhatWasGiven) {
  EXPECT_EQ(given({}, {"a b", "a'b", "a b c"}), (std::vector<std::string>{"a b", "a b", "a b c"}));
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
