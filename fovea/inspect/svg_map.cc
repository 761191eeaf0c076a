#include "fovea/inspect/svg_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "fovea/picture/colour.h"
#include "fovea/picture/display_text.h"
#include "fovea/picture/svg.h"

namespace fovea {
namespace {

constexpr double letter = 7.2, gap = 8, slant = -50, title_height = 44, legend_height = 52;
constexpr double legend_width = 160;
constexpr double faintest = 0.0005;  // below it a cell is paper
constexpr Dim longest_label = 24;
constexpr const char *grid = "#e4e6ea", *faint = "#5f6672";

std::vector<std::string> labels_of(const std::vector<std::string>& names) {
  std::vector<std::string> out;
  for (const std::string& name : names)
    out.push_back(cut_to_width(displayable(name), longest_label));
  return out;
}

double widest(const std::vector<std::string>& labels) {
  Dim width = 0;
  for (const std::string& label : labels) width = std::max(width, display_width(label));
  return letter * static_cast<double>(width);
}

std::string number(double value) {
  std::array<char, 32> out;
  std::snprintf(out.data(), out.size(), "%.3f", value);
  return out.data();
}

/// Where things are; all in pixels.
struct Layout {
  double cell, left, top, right, width, height;

  Layout(const AttentionMap& map, double query_width, double key_width) {
    const auto rows = static_cast<double>(map.queries.size());
    const auto cols = static_cast<double>(map.keys.size());
    cell = std::clamp(900 / std::max({rows, cols, 1.0}), 6.0, 26.0);
    const double angle = -slant * std::acos(-1.0) / 180;
    left = std::max(query_width + 2 * gap, 24.0);
    top = title_height + key_width * std::sin(angle) + 2 * gap;
    right = key_width * std::cos(angle) + 2 * gap;  // the last label leans out
    const double title = 2 * gap + 9.5 * static_cast<double>(display_width(map.title));
    width = std::max({left + cols * cell + right, title, left + legend_width + 2 * gap});
    height = top + rows * cell + legend_height;
  }
};

void draw_legend(Svg& svg, double x, double y) {
  constexpr int steps = 32;
  constexpr double step = legend_width / steps;
  for (int i = 0; i < steps; ++i) {
    svg.rect(x + i * step, y, step + 0.3, 8, heat_colour((i + 0.5) / steps));
  }
  svg.text(x, y + 22, "0", {.size = 11, .fill = faint});
  svg.text(x + legend_width, y + 22, "1", {.size = 11, .anchor = Anchor::end, .fill = faint});
}

}  // namespace

std::string svg_map(const AttentionMap& map) {
  map.check();
  const auto queries = labels_of(map.queries), keys = labels_of(map.keys);
  const Layout at(map, widest(queries), widest(keys));
  const double size = std::min(12.0, at.cell + 3);
  const auto place = [&](std::size_t i) { return at.cell * static_cast<double>(i); };
  Svg svg(at.width, at.height, map.title);
  svg.text(gap, 26, map.title, {.size = 16, .bold = true});
  for (std::size_t j = 0; j < keys.size(); ++j) {
    svg.text(at.left + place(j) + at.cell / 2 + 3, at.top - gap, keys[j],
             {.size = size, .turn = slant});
  }
  for (std::size_t i = 0; i < queries.size(); ++i) {
    svg.text(at.left - gap, at.top + place(i) + at.cell / 2 + size / 3, queries[i],
             {.size = size, .anchor = Anchor::end});
    for (std::size_t j = 0; j < keys.size(); ++j) {
      const double weight = map.weight(static_cast<Dim>(i), static_cast<Dim>(j));
      if (weight < faintest) continue;
      svg.rect(at.left + place(j), at.top + place(i), at.cell, at.cell, heat_colour(weight),
               concat(map.queries[i], " \u2192 ", map.keys[j], ": ", number(weight)));
    }
  }
  const double right = at.left + place(keys.size()), bottom = at.top + place(queries.size());
  for (std::size_t i = 0; i <= queries.size(); ++i) {
    svg.line(at.left, at.top + place(i), right, at.top + place(i), grid, 0.5);
  }
  for (std::size_t j = 0; j <= keys.size(); ++j) {
    svg.line(at.left + place(j), at.top, at.left + place(j), bottom, grid, 0.5);
  }
  draw_legend(svg, at.left, bottom + 2 * gap);
  return std::move(svg).finish();
}

}  // namespace fovea
