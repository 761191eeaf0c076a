#include "fovea/picture/colour.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace fovea {

Rgb heat_rgb(double weight) {
  constexpr std::array<std::array<double, 3>, 6> ramp = {{{255, 255, 255},
                                                          {254, 227, 200},
                                                          {253, 181, 122},
                                                          {238, 122, 51},
                                                          {191, 68, 19},
                                                          {111, 31, 6}}};
  const double at = std::clamp(std::isnan(weight) ? 0 : weight, 0.0, 1.0) * (ramp.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(at), ramp.size() - 2);
  const double part = at - static_cast<double>(low);
  const auto mix = [&](std::size_t channel) {
    const double from = ramp[low][channel], to = ramp[low + 1][channel];
    return static_cast<std::uint8_t>(std::lround(from + part * (to - from)));
  };
  return {mix(0), mix(1), mix(2)};
}

std::string heat_colour(double weight) {
  const Rgb colour = heat_rgb(weight);
  std::array<char, 32> out;
  std::snprintf(out.data(), out.size(), "#%02x%02x%02x", colour.red, colour.green, colour.blue);
  return out.data();
}

std::string line_colour(std::size_t i) {
  constexpr std::array<const char*, 7> colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                  "#e69f00", "#56b4e9", "#444444"};
  return colours[i % colours.size()];
}

}  // namespace fovea
