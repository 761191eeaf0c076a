#include "fovea/picture/curve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace fovea {
namespace {

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; ++at) ++found;
  return found;
}

TEST(Curve, DrawsEachCurveWithItsName) {
  const Curve curves[] = {{"training <loss>", {{0, 9}, {1, 5}, {2, 3}}}, {"validation", {{1, 6}}}};
  const std::string svg = curve_svg("Loss & more", curves, {.x_label = "step", .y_label = "nats"});
  EXPECT_EQ(count(svg, "<path"), 1u);
  EXPECT_EQ(count(svg, "<circle"), 4u);  // few points are marked; a lone one is but a mark
  for (const char* text : {">training &lt;loss&gt;<", ">validation<", ">Loss &amp; more<", ">step<",
                           ">nats<", ">9<"}) {
    EXPECT_NE(svg.find(text), svg.npos) << text;
  }
}

TEST(Curve, LeavesGapsForWhatCannotBeDrawn) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Curve curve{"y", {{1, 1}, {2, 2}, {3, nan}, {4, 4}, {5, 5}, {6, 0}, {7, 7}, {8, 8}}};
  EXPECT_EQ(count(curve_svg("", {&curve, 1}), "<path"), 2u);
  EXPECT_EQ(count(curve_svg("", {&curve, 1}, {.y_scale = Scale::logarithmic}), "<path"), 3u);
  const std::string svg = curve_svg("", {&curve, 1});
  EXPECT_EQ(svg.find("nan"), svg.npos);
}

TEST(Curve, StaysSmallAndKeepsPeaks) {
  Curve curve{"loss", {}};
  for (int i = 0; i < 200000; ++i) curve.points.emplace_back(i, std::sin(i));
  curve.points[100000].second = 50;
  const std::string svg = curve_svg("", {&curve, 1});
  EXPECT_LT(svg.size(), 80000u);
  EXPECT_NE(svg.find(">50<"), svg.npos);
}

TEST(Curve, OfNothingIsAnEmptyChart) {
  EXPECT_NE(curve_svg("nothing", {}).find("</svg>"), std::string::npos);
  const Curve empty{"none", {}};
  EXPECT_EQ(count(curve_svg("", {&empty, 1}), "<path"), 0u);
}

}  // namespace
}  // namespace fovea
