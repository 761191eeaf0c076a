#include "fovea/inspect/png_map.h"

#include <algorithm>

#include "fovea/image/png.h"
#include "fovea/picture/colour.h"

namespace fovea {

std::string png_map(const AttentionMap& map) {
  constexpr Dim room = 1000, largest_cell = 24;
  map.check();
  const Dim rows = map.weights.rows(), cols = map.weights.cols();
  FOVEA_CHECK(rows > 0 && cols > 0, "png: '", map.title, "' has no weights to draw");
  const Dim cell = std::clamp<Dim>(room / std::max(rows, cols), 1, largest_cell);
  Image image{.height = rows * cell, .width = cols * cell, .channels = 3};
  image.pixels.reserve(static_cast<std::size_t>(3 * image.width * image.height));
  for (Dim i = 0; i < rows; ++i) {
    const std::size_t begin = image.pixels.size();
    for (Dim j = 0; j < cols; ++j) {
      const Rgb colour = heat_rgb(map.weight(i, j));
      for (Dim x = 0; x < cell; ++x) {
        image.pixels.insert(image.pixels.end(), {colour.red, colour.green, colour.blue});
      }
    }
    const std::vector<std::uint8_t> line(image.pixels.begin() + static_cast<std::ptrdiff_t>(begin),
                                         image.pixels.end());
    for (Dim y = 1; y < cell; ++y) {
      image.pixels.insert(image.pixels.end(), line.begin(), line.end());
    }
  }
  return encode_png(image);
}

}  // namespace fovea
