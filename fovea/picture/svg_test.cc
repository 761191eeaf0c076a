#include "fovea/picture/svg.h"

#include <gtest/gtest.h>

#include "fovea/picture/colour.h"

namespace fovea {
namespace {

TEST(Svg, EscapesAllText) {
  Svg svg(10, 20, "<a>&");
  svg.text(1, 2, "\"</text>'");
  svg.rect(0, 0, 1, 1, "red", "<tip>");
  const std::string out = std::move(svg).finish();
  EXPECT_NE(out.find("<title>&lt;a&gt;&amp;</title>"), out.npos);
  EXPECT_NE(out.find(">&quot;&lt;/text&gt;&#39;</text>"), out.npos);
  EXPECT_NE(out.find("<title>&lt;tip&gt;</title>"), out.npos);
  EXPECT_NE(out.find("viewBox=\"0 0 10 20\""), out.npos);
}

TEST(Svg, HoldsImages) {
  Svg svg(10, 20, "");
  svg.image(1, 2, 3, 4.5, "PNG");
  svg.rect(0, 0, 1, 1, "#ffffff", "", 0.25);
  const std::string out = std::move(svg).finish();
  EXPECT_NE(out.find("<image x=\"1\" y=\"2\" width=\"3\" height=\"4.5\""), out.npos);
  EXPECT_NE(out.find("href=\"data:image/png;base64,UE5H\""), out.npos);
  EXPECT_NE(out.find("fill=\"#ffffff\" fill-opacity=\"0.25\"/>"), out.npos);
}

TEST(Svg, WritesShortNumbers) {
  EXPECT_EQ(coordinate(12), "12");
  EXPECT_EQ(coordinate(12.5), "12.5");
  EXPECT_EQ(coordinate(-0.001), "0");
  EXPECT_EQ(coordinate(100), "100");
}

TEST(Colour, GetsDarkerWithWeight) {
  EXPECT_EQ(heat_colour(0), "#ffffff");
  EXPECT_EQ(heat_colour(1), "#6f1f06");
  EXPECT_EQ(heat_colour(-1), heat_colour(0));
  EXPECT_EQ(heat_colour(2), heat_colour(1));
  const auto light = [](double weight) {
    const unsigned long rgb = std::stoul(heat_colour(weight).substr(1), nullptr, 16);
    return 2 * (rgb >> 16) + 5 * (rgb >> 8 & 255) + (rgb & 255);
  };
  for (double w = 0; w < 1; w += 0.01) EXPECT_GT(light(w), light(w + 0.01));
}

}  // namespace
}  // namespace fovea
