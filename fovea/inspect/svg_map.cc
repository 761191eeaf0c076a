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
constexpr double legend_width = 160, page_width = 1100;
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

/// What maps alone and among others differ in.
struct Sizes {
  double room;             // pixels that the longer side's cells may have in all
  double least, most;      // pixels of a cell
  double title, smallest;  // size of letters
};
constexpr Sizes alone = {900, 6, 26, 16, 12}, among_others = {190, 4, 13, 12, 9};

/// Where things are; all in pixels.
struct Layout {
  double cell, size, left, top, right, width, height;
  std::vector<std::string> queries, keys;  // labels

  Layout(const AttentionMap& map, const Sizes& sizes)
      : queries(labels_of(map.queries)), keys(labels_of(map.keys)) {
    const auto rows = static_cast<double>(map.queries.size());
    const auto cols = static_cast<double>(map.keys.size());
    cell = std::clamp(sizes.room / std::max({rows, cols, 1.0}), sizes.least, sizes.most);
    size = std::min(sizes.smallest, cell + 3);
    const double angle = -slant * std::acos(-1.0) / 180, letters = size / 12;
    left = std::max(letters * widest(queries) + 2 * gap, 24.0);
    top = sizes.title + 28 + letters * widest(keys) * std::sin(angle) + 2 * gap;
    right = letters * widest(keys) * std::cos(angle) + 2 * gap;  // the last label leans out
    const double title =
        2 * gap + 0.6 * sizes.title * static_cast<double>(display_width(map.title));
    width = std::max(left + cols * cell + right, title);
    height = top + rows * cell + gap;
  }
  double right_edge() const { return left + cell * static_cast<double>(keys.size()); }
  double bottom() const { return top + cell * static_cast<double>(queries.size()); }
};

/// With its corner at (x, y).
void draw_map(Svg& svg, const AttentionMap& map, const Layout& at, double x, double y) {
  const auto place = [&](std::size_t i) { return at.cell * static_cast<double>(i); };
  const double left = x + at.left, top = y + at.top;
  for (std::size_t j = 0; j < at.keys.size(); ++j) {
    svg.text(left + place(j) + at.cell / 2 + 3, top - gap, at.keys[j],
             {.size = at.size, .turn = slant});
  }
  for (std::size_t i = 0; i < at.queries.size(); ++i) {
    svg.text(left - gap, top + place(i) + at.cell / 2 + at.size / 3, at.queries[i],
             {.size = at.size, .anchor = Anchor::end});
    for (std::size_t j = 0; j < at.keys.size(); ++j) {
      const double weight = map.weight(static_cast<Dim>(i), static_cast<Dim>(j));
      if (weight < faintest) continue;
      svg.rect(left + place(j), top + place(i), at.cell, at.cell, heat_colour(weight),
               concat(map.queries[i], " \u2192 ", map.keys[j], ": ", number(weight)));
    }
  }
  const double right = x + at.right_edge(), bottom = y + at.bottom();
  for (std::size_t i = 0; i <= at.queries.size(); ++i) {
    svg.line(left, top + place(i), right, top + place(i), grid, 0.5);
  }
  for (std::size_t j = 0; j <= at.keys.size(); ++j) {
    svg.line(left + place(j), top, left + place(j), bottom, grid, 0.5);
  }
}

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
  const Layout at(map, alone);
  Svg svg(std::max(at.width, at.left + legend_width + 2 * gap), at.height + legend_height,
          map.title);
  svg.text(gap, 26, map.title, {.size = alone.title, .bold = true});
  draw_map(svg, map, at, 0, 0);
  draw_legend(svg, at.left, at.bottom() + 2 * gap);
  return std::move(svg).finish();
}

std::string svg_maps(std::span<const AttentionMap> maps, const std::string& title) {
  std::vector<Layout> layouts;
  double width = 0, height = 0;
  for (const AttentionMap& map : maps) {
    map.check();
    const Layout& at = layouts.emplace_back(map, among_others);
    width = std::max(width, at.width);
    height = std::max(height, at.height);
  }
  const std::size_t across = std::clamp<std::size_t>(
      static_cast<std::size_t>(page_width / std::max(width, 1.0)), 1, std::max(maps.size(), 1UL));
  const std::size_t down = (maps.size() + across - 1) / across;
  Svg svg(std::max(static_cast<double>(across) * width, legend_width + 4 * gap),
          title_height + static_cast<double>(down) * height + legend_height, title);
  svg.text(gap, 26, title, {.size = alone.title, .bold = true});
  for (std::size_t i = 0; i < maps.size(); ++i) {
    const double x = static_cast<double>(i % across) * width;
    const double y = title_height + static_cast<double>(i / across) * height;
    svg.text(x + gap, y + 16, maps[i].title, {.size = among_others.title, .bold = true});
    draw_map(svg, maps[i], layouts[i], x, y);
  }
  draw_legend(svg, 2 * gap, title_height + static_cast<double>(down) * height + gap);
  return std::move(svg).finish();
}

}  // namespace fovea
