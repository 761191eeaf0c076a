#include "fovea/picture/colour.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace fovea {
namespace {

std::string hex(Rgb colour) {
  std::array<char, 32> out;
  std::snprintf(out.data(), out.size(), "#%02x%02x%02x", colour.red, colour.green, colour.blue);
  return out.data();
}

}  // namespace

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

std::string heat_colour(double weight) { return hex(heat_rgb(weight)); }

Rgb line_rgb(std::size_t i) {
  constexpr std::array<Rgb, 7> colours = {{{0x00, 0x72, 0xb2},
                                           {0xd5, 0x5e, 0x00},
                                           {0x00, 0x9e, 0x73},
                                           {0xcc, 0x79, 0xa7},
                                           {0xe6, 0x9f, 0x00},
                                           {0x56, 0xb4, 0xe9},
                                           {0x44, 0x44, 0x44}}};
  return colours[i % colours.size()];
}

std::string line_colour(std::size_t i) { return hex(line_rgb(i)); }

}  // namespace fovea
