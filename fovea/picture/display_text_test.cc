#include "fovea/picture/display_text.h"

#include <gtest/gtest.h>

namespace fovea {
namespace {

TEST(DisplayText, KnowsWidths) {
  EXPECT_EQ(display_width("caf\u00e9"), 4);
  EXPECT_EQ(display_width("cafe\u0301"), 4);
  EXPECT_EQ(display_width("\u4e2d\u6587"), 4);
  EXPECT_EQ(display_width("\U0001f600"), 2);
  EXPECT_EQ(display_width(""), 0);
}

TEST(DisplayText, LetsNoControlThrough) {
  EXPECT_EQ(displayable("a\n\x1b[31m"), "a\u240a\u241b[31m");
  EXPECT_EQ(displayable("\u202e\u0085\x7f\xff"), "\ufffd\ufffd\u2421\ufffd");
  EXPECT_EQ(displayable("\u00e9\nz", Charset::ascii), "??z");
}

TEST(DisplayText, CutsBetweenGlyphs) {
  EXPECT_EQ(cut_to_width("alignment", 9), "alignment");
  EXPECT_EQ(cut_to_width("alignment", 5), "alig\u2026");
  EXPECT_EQ(cut_to_width("alignment", 5, Charset::ascii), "alig~");
  EXPECT_EQ(cut_to_width("\u4e2d\u6587\u5b57", 4),
            "\u4e2d\u2026");  // two columns do not fit in one
  EXPECT_EQ(cut_to_width("e\u0301e\u0301e\u0301", 2), "e\u0301\u2026");
  EXPECT_EQ(cut_to_width("x", 0), "");
  EXPECT_EQ(glyphs("e\u0301x").size(), 2u);
}

}  // namespace
}  // namespace fovea
