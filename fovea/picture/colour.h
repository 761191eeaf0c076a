/// Colours of pictures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace fovea {

struct Rgb {
  std::uint8_t red, green, blue;
};
/// From paper (0) over orange to dark ember (1), ever darker: also in print.
Rgb heat_rgb(double weight);
/// The same as "#ee7a33".
std::string heat_colour(double weight);

/// For the i-th line of a chart: told apart by the colour-blind too. Okabe and Ito 2008.
Rgb line_rgb(std::size_t i);
std::string line_colour(std::size_t i);

}  // namespace fovea
