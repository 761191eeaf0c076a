#include "fovea/inspect/png_map.h"

#include <algorithm>

#include "fovea/picture/colour.h"
#include "fovea/picture/png.h"

namespace fovea {

std::string png_map(const AttentionMap& map) {
  constexpr Dim room = 1000, largest_cell = 24;
  map.check();
  const Dim rows = map.weights.rows(), cols = map.weights.cols();
  FOVEA_CHECK(rows > 0 && cols > 0, "png: '", map.title, "' has no weights to draw");
  const Dim cell = std::clamp<Dim>(room / std::max(rows, cols), 1, largest_cell);
  Pixels pixels{.width = cols * cell, .height = rows * cell};
  pixels.rgb.reserve(static_cast<std::size_t>(3 * pixels.width * pixels.height));
  for (Dim i = 0; i < rows; ++i) {
    const std::size_t begin = pixels.rgb.size();
    for (Dim j = 0; j < cols; ++j) {
      const Rgb colour = heat_rgb(map.weight(i, j));
      for (Dim x = 0; x < cell; ++x) {
        pixels.rgb.insert(pixels.rgb.end(), {colour.red, colour.green, colour.blue});
      }
    }
    const std::vector<std::uint8_t> line(pixels.rgb.begin() + static_cast<std::ptrdiff_t>(begin),
                                         pixels.rgb.end());
    for (Dim y = 1; y < cell; ++y) {
      pixels.rgb.insert(pixels.rgb.end(), line.begin(), line.end());
    }
  }
  return png_of(pixels);
}

}  // namespace fovea
