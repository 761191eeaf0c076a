#include "fovea/inspect/svg_map.h"

#include <gtest/gtest.h>

namespace fovea {
namespace {

TEST(SvgMap, ShowsNamesAndNumbers) {
  const std::string svg = svg_map({.title = "layer <0>",
                                   .queries = {"a&b", "\n"},
                                   .keys = {"x", "y"},
                                   .weights = Tensor::of<float>({2, 2}, {0.125f, 0.875f, 1, 0})});
  for (const char* text :
       {">layer &lt;0&gt;<", ">a&amp;b<", ">\u240a<", ">x<", "a&amp;b \u2192 y: 0.875",
        "fill=\"#6f1f06\"", "\u240a \u2192 x: 1.000"}) {
    EXPECT_NE(svg.find(text), svg.npos) << text;
  }
  EXPECT_EQ(svg.find("y: 0.000"), svg.npos) << "a weight of zero is paper";
}

TEST(SvgMap, ManyStandSideBySide) {
  const auto map = [](const char* title) {
    return AttentionMap{.title = title,
                        .queries = {"q"},
                        .keys = {"k"},
                        .weights = Tensor::of<float>({1, 1}, {0.5f})};
  };
  const std::vector<AttentionMap> maps = {map("head 0"), map("head 1"), map("head 2")};
  const std::string svg = svg_maps(maps, "all <heads>");
  for (const char* text : {">all &lt;heads&gt;<", ">head 0<", ">head 1<", ">head 2<"}) {
    EXPECT_NE(svg.find(text), svg.npos) << text;
  }
  EXPECT_NE(svg_maps({}, "none").find("</svg>"), svg.npos);
}

TEST(SvgMap, OfNothingIsEmpty) {
  const std::string svg =
      svg_map({.title = "", .queries = {}, .keys = {}, .weights = Tensor::zeros({0, 0})});
  EXPECT_NE(svg.find("</svg>"), svg.npos);
  EXPECT_EQ(svg.find("nan"), svg.npos);
}

}  // namespace
}  // namespace fovea
