#include "fovea/text/sentences.h"

#include <gtest/gtest.h>

namespace fovea {
namespace {

using Lines = std::vector<std::string>;

TEST(Sentences, EndWhereUnicodeSaysSo) {
  EXPECT_EQ(sentences_of("It rains. Does it? Yes!  He said: \"No.\" Then he went."),
            (Lines{"It rains.", "Does it?", "Yes!", "He said: \"No.\"", "Then he went."}));
  EXPECT_EQ(sentences_of("It cost 3.50 euros. fine"), (Lines{"It cost 3.50 euros. fine"}));
  EXPECT_EQ(sentences_of("今天下雨。明天呢？"), (Lines{"今天下雨。", "明天呢？"}));
  EXPECT_EQ(sentences_of("one\ntwo \n\n three"), (Lines{"one", "two", "three"}));
  EXPECT_EQ(sentences_of(""), Lines{});
  EXPECT_EQ(sentences_of(" \n "), Lines{});
}

TEST(Sentences, ArePartedByTags) {
  EXPECT_EQ(without_tags("so bad<br /><br />I left</p>"), "so bad\n\nI left\n");
  EXPECT_EQ(without_tags("a < b, 3 <4, <3 <"), "a < b, 3 <4, <3 <");
  EXPECT_EQ(without_tags("cut <br"), "cut <br");
  EXPECT_EQ(without_tags(""), "");
}

}  // namespace
}  // namespace fovea
