/// Curves over a common axis as a picture: losses over steps, say.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fovea/picture/axis.h"

namespace fovea {

struct Curve {
  std::string name;
  std::vector<std::pair<double, double>> points;  // (x, y), x rising
};

struct CurveStyle {
  std::string x_label = {}, y_label = {};
  Scale x_scale = Scale::linear, y_scale = Scale::linear;
};

/// A stand-alone SVG. Points that are not finite, or not above 0 where a scale is logarithmic, are
/// gaps. However many points there are, the picture stays small: of those that fall on one column
/// of it the lowest and the highest are drawn.
std::string curve_svg(std::string_view title, std::span<const Curve> curves,
                      const CurveStyle& style = {});

}  // namespace fovea
