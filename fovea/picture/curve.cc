#include "fovea/picture/curve.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/picture/colour.h"
#include "fovea/picture/display_text.h"
#include "fovea/picture/svg.h"

namespace fovea {
namespace {

using Point = std::pair<double, double>;

constexpr double width = 800, height = 460, left = 72, right = 24, bottom = 56;
constexpr double legend_row = 20, letter = 7.2;  // of text of size 13, a generous mean
constexpr std::size_t few = 40;                  // so many points are each marked
constexpr const char *grid = "#e4e6ea", *faint = "#5f6672";

bool drawable(double value, Scale scale) {
  return std::isfinite(value) && (scale == Scale::linear || value > 0);
}
bool drawable(const Point& p, const CurveStyle& style) {
  return drawable(p.first, style.x_scale) && drawable(p.second, style.y_scale);
}

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  Axis axis(Scale scale, double begin, double end) const {
    if (low > high) return {1, 10, scale, begin, end};  // no point at all
    return {low, high, scale, begin, end};
  }
};

/// Unbroken runs of points, on paper.
std::vector<std::vector<Point>> runs(const Curve& curve, const CurveStyle& style, const Axis& x,
                                     const Axis& y) {
  std::vector<std::vector<Point>> out(1);
  for (const Point& p : curve.points) {
    if (drawable(p, style))
      out.back().emplace_back(x.place(p.first), y.place(p.second));
    else if (!out.back().empty())
      out.emplace_back();
  }
  if (out.back().empty()) out.pop_back();
  return out;
}

/// Of the points in one column of pixels the first, the lowest, the highest and the last.
std::vector<Point> thinned(const std::vector<Point>& run) {
  std::vector<Point> out;
  const auto column = [](const Point& p) { return std::floor(p.first); };
  for (auto begin = run.begin(); begin != run.end();) {
    const auto end =
        std::find_if(begin, run.end(), [&](const Point& p) { return column(p) != column(*begin); });
    auto [low, high] = std::minmax_element(
        begin, end, [](const Point& a, const Point& b) { return a.second < b.second; });
    if (high < low) std::swap(low, high);
    for (const auto at : {begin, low, high, end - 1}) {
      if (out.empty() || out.back() != *at) out.push_back(*at);
    }
    begin = end;
  }
  return out;
}

void draw(Svg& svg, const std::vector<Point>& run, const std::string& colour, bool marked) {
  const std::vector<Point> points = thinned(run);
  std::string data;
  for (const auto& [x, y] : points) {
    data += (data.empty() ? 'M' : 'L') + coordinate(x) + ' ' + coordinate(y);
  }
  if (points.size() > 1) svg.path(data, colour, marked ? 2 : 1.5);
  if (marked || points.size() == 1) {
    for (const auto& [x, y] : points) svg.circle(x, y, 3, colour);
  }
}

void draw_axes(Svg& svg, const Axis& x, const Axis& y, double top, const CurveStyle& style) {
  const double floor = height - bottom;
  for (const Tick& tick : x.ticks()) {
    const double at = x.place(tick.value);
    svg.line(at, top, at, floor, grid);
    svg.text(at, floor + 18, tick.label, {.anchor = Anchor::middle, .fill = faint});
  }
  for (const Tick& tick : y.ticks()) {
    const double at = y.place(tick.value);
    svg.line(left, at, width - right, at, grid);
    svg.text(left - 8, at + 4, tick.label, {.anchor = Anchor::end, .fill = faint});
  }
  svg.line(left, floor, width - right, floor, faint);
  svg.text((left + width - right) / 2, height - 14, style.x_label,
           {.size = 13, .anchor = Anchor::middle});
  svg.text(20, (top + floor) / 2, style.y_label,
           {.size = 13, .anchor = Anchor::middle, .turn = -90});
}

/// Names of the curves in as many rows as they need. Gives the height below them.
double draw_legend(Svg& svg, std::span<const Curve> curves, double y) {
  double x = left;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const std::string name = cut_to_width(displayable(curves[i].name), 60);
    const double space = 46 + letter * static_cast<double>(display_width(name));
    if (x > left && x + space > width - right) {
      x = left;
      y += legend_row;
    }
    svg.line(x, y - 4, x + 18, y - 4, line_colour(i), 3);
    svg.text(x + 24, y, name, {.size = 13});
    x += space;
  }
  return curves.empty() ? y - legend_row : y;
}

}  // namespace

std::string curve_svg(std::string_view title, std::span<const Curve> curves,
                      const CurveStyle& style) {
  Svg svg(width, height, title);
  svg.text(left, 28, title, {.size = 17, .bold = true});
  const double top = draw_legend(svg, curves, 52) + 18;
  Range xs, ys;
  for (const Curve& curve : curves) {
    for (const Point& p : curve.points) {
      if (!drawable(p, style)) continue;
      xs.add(p.first);
      ys.add(p.second);
    }
  }
  const Axis x = xs.axis(style.x_scale, left, width - right);
  const Axis y = ys.axis(style.y_scale, height - bottom, top);
  draw_axes(svg, x, y, top, style);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    for (const std::vector<Point>& run : runs(curves[i], style, x, y)) {
      draw(svg, run, line_colour(i), curves[i].points.size() <= few);
    }
  }
  return std::move(svg).finish();
}

}  // namespace fovea
