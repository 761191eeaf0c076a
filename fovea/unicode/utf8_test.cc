#include "fovea/unicode/utf8.h"

#include <gtest/gtest.h>

#include "fovea/base/check.h"

namespace fovea {
namespace {

TEST(Utf8, KnowsWhatIsValid) {
  for (const char* good : {"", "a", "é", "€", "😀", "\u0000", "\U0010FFFF"}) {
    EXPECT_TRUE(valid_utf8(good)) << good;
  }
  for (const char* bad : {"\x80", "\xc3", "\xc0\xaf", "\xe0\x80\x80", "\xed\xa0\x80",
                          "\xf0\x9f\x98", "\xf4\x90\x80\x80", "\xff", "a\xe2\x82"}) {
    EXPECT_FALSE(valid_utf8(bad));
    EXPECT_TRUE(valid_utf8(repaired_utf8(bad)));
    EXPECT_NE(repaired_utf8(bad).find("\ufffd"), std::string::npos);
  }
}

TEST(Utf8, WalksCodePoints) {
  const std::string text = "aé€😀";
  std::u32string seen;
  std::string again;
  for (std::size_t at = 0; at < text.size();) {
    seen += next_code_point(text, at);
    append_utf8(again, seen.back());
  }
  EXPECT_EQ(seen, U"aé€😀");
  EXPECT_EQ(code_points_in(text), 4u);
  EXPECT_EQ(again, text);
  EXPECT_EQ(code_points(text), seen);
  EXPECT_EQ(utf8_of(seen), text);
  std::string replaced;
  append_utf8(replaced, 0xD800);
  append_utf8(replaced, 0x110000);
  EXPECT_EQ(replaced, "\ufffd\ufffd");
  std::size_t past = text.size();
  EXPECT_THROW(next_code_point(text, past), Error);
}

TEST(Utf8, KnowsWidths) {
  EXPECT_EQ(display_width(""), 0);
  EXPECT_EQ(display_width("Größe"), 5);
  EXPECT_EQ(display_width("Gro\u0308ße"), 5);  // a combining mark
  EXPECT_EQ(display_width("注意力"), 6);       // wide
  EXPECT_EQ(display_width("ｗｉｄｅ"), 8);     // full width
  EXPECT_EQ(display_width("😀"), 2);
  EXPECT_EQ(display_width("a\u200bb\u200d"), 2);  // invisible
  EXPECT_EQ(display_width("▁wort"), 5);
  EXPECT_TRUE(is_space(U'\u3000'));
  EXPECT_TRUE(is_space(U'\t'));
  EXPECT_FALSE(is_space(U'▁'));
}

}  // namespace
}  // namespace fovea
