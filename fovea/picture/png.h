/// Pixels as a PNG file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/base/view.h"

namespace fovea {

/// Red, green and blue, row after row from the top.
struct Pixels {
  Dim width = 0, height = 0;
  std::vector<std::uint8_t> rgb = {};  // (height, width, 3)
};

std::string png_of(const Pixels& pixels);

}  // namespace fovea
