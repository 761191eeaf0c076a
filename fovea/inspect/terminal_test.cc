#include "fovea/inspect/terminal.h"

#include <gtest/gtest.h>

#include <sstream>

#include "fovea/picture/display_text.h"

namespace fovea {
namespace {

AttentionMap sample() {
  return {.title = "map",
          .queries = {"ich", "\u6211"},
          .keys = {"I", "you"},
          .weights = Tensor::of<float>({2, 2}, {1, 0, 0.25f, 0.75f})};
}

AttentionMap diagonal(Dim size) {
  AttentionMap map{.title = "a title that is rather longer than the terminal is wide",
                   .queries = {},
                   .keys = {},
                   .weights = Tensor::zeros({size, size})};
  for (Dim i = 0; i < size; ++i) {
    map.queries.push_back(concat("a rather long query ", i));
    map.keys.push_back(concat("a rather long key ", i));
    map.weights.mutable_view<float>()[i][i] = 1;
  }
  return map;
}

TEST(TerminalMap, NamesKeysSideBySide) {
  EXPECT_EQ(terminal_map(sample(), {.shades = Shades::blocks}),
            "map\n"
            "    I  you\n"
            "ich \u2588\u2588\u2588\n"
            " \u6211 \u2591\u2591\u2591\u2593\u2593\u2593\u2593\n");
  EXPECT_EQ(terminal_map(sample(), {.shades = Shades::ascii}),
            "map\n"
            "    I  you\n"
            "ich @@@\n"
            "  ? :::####\n");
}

TEST(TerminalMap, ShadesFaintWeightsByTheStrongest) {
  AttentionMap map = sample();
  map.weights = Tensor::of<float>({2, 2}, {0.2f, 0.11f, 0, 0.17f});
  EXPECT_EQ(terminal_map(map, {.shades = Shades::ascii}),
            "map  (the strongest: 0.2)\n"
            "    I  you\n"
            "ich @@@++++\n"
            "  ?    %%%%\n");
}

TEST(TerminalMap, NamesKeysDownwardsWhereTheyAreLong) {
  EXPECT_EQ(terminal_map(sample(), {.shades = Shades::ascii, .width = 9}),
            "map\n"
            "      y\n"
            "      o\n"
            "    I u\n"
            "ich @@\n"
            "  ? ::##\n");
}

TEST(TerminalMap, FitsItsWidth) {
  for (const Dim size : {3, 20, 90}) {
    for (const Dim width : {30, 80}) {
      std::istringstream lines(
          terminal_map(diagonal(size), {.shades = Shades::blocks, .width = width}));
      Dim full = 0;
      for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(display_width(line), width) << line;
        if (line.find("\u2588") != line.npos) ++full;
      }
      EXPECT_EQ(full, size) << "each query looks at one key, in one of the bands";
    }
  }
}

TEST(TerminalMap, EndsItsColours) {
  const std::string text = terminal_map(sample());
  EXPECT_NE(text.find("\x1b[48;5;223m"), text.npos);
  EXPECT_EQ(text.substr(text.size() - 5), "\x1b[0m\n");
}

TEST(TerminalMap, LetsNoEscapeThrough) {
  AttentionMap map = sample();
  map.title = map.keys[0] = map.queries[0] = "\x1b]0;x\x07";
  const std::string text = terminal_map(map, {.shades = Shades::blocks});
  EXPECT_EQ(text.find('\x1b'), text.npos);
}

TEST(TerminalMap, OfNothingIsItsTitle) {
  EXPECT_EQ(
      terminal_map({.title = "t", .queries = {}, .keys = {}, .weights = Tensor::zeros({0, 0})}),
      "t\n");
}

}  // namespace
}  // namespace fovea
