#include "fovea/inspect/terminal_shades.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "fovea/base/check.h"

namespace fovea {
namespace {

/// From near black over ember to bright: explicit on every cell, so that the picture is the same on
/// a light terminal and a dark one.
constexpr std::array<int, 10> colours = {234, 235, 52, 88, 124, 166, 172, 208, 215, 223};
constexpr std::size_t first_bright = 6;

/// Which of N equal steps from 0 to 1.
template <std::size_t N>
std::size_t level(float weight) {
  const float part = weight > 0 ? std::min(weight, 1.0f) : 0;  // also of NaN
  return std::min(static_cast<std::size_t>(part * N), N - 1);
}

/// The nearest of the 256 colours of xterm: a cube of 6 x 6 x 6 from number 16 on, then 24 greys.
int nearest_colour(Rgb colour) {
  const std::array<int, 3> rgb = {colour.red, colour.green, colour.blue};
  const auto distance = [&](const std::array<int, 3>& other) {
    int sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum += (rgb[i] - other[i]) * (rgb[i] - other[i]);
    return sum;
  };
  std::array<int, 3> level = {}, in_cube = {};
  for (std::size_t i = 0; i < 3; ++i) {  // levels are 0, 95, 135, ..., 255
    level[i] = rgb[i] < 48 ? 0 : rgb[i] < 115 ? 1 : (rgb[i] - 35) / 40;
    in_cube[i] = level[i] == 0 ? 0 : 55 + 40 * level[i];
  }
  const int grey = std::clamp(((rgb[0] + rgb[1] + rgb[2]) / 3 - 3) / 10, 0, 23);
  const int value = 8 + 10 * grey;
  if (distance({value, value, value}) < distance(in_cube)) return 232 + grey;
  return 16 + 36 * level[0] + 6 * level[1] + level[2];
}

}  // namespace

std::string pixel_cell(Rgb above, Rgb below) {
  return concat("\x1b[38;5;", nearest_colour(above), ";48;5;", nearest_colour(below), "m\u2580");
}

std::string shade_cell(float weight, Dim width, Shades shades) {
  const auto filled = [width](std::string_view part) {
    std::string out;
    for (Dim i = 0; i < width; ++i) out += part;
    return out;
  };
  switch (shades) {
    case Shades::colour:
      return concat("\x1b[48;5;", colours[level<10>(weight)], "m", filled(" "));
    case Shades::blocks: {
      constexpr std::array<const char*, 5> blocks = {" ", "\u2591", "\u2592", "\u2593", "\u2588"};
      return filled(blocks[level<5>(weight)]);
    }
    case Shades::ascii:
      break;
  }
  constexpr std::string_view ascii = " .:-=+*#%@";
  return filled(ascii.substr(level<10>(weight), 1));
}

std::string on_shade(float weight, const std::string& text) {
  const std::size_t at = level<10>(weight);
  return concat("\x1b[48;5;", colours[at], ";38;5;", at < first_bright ? 252 : 16, "m", text,
                "\x1b[0m");
}

}  // namespace fovea
