#include "fovea/image/resize.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/check.h"

namespace fovea {
namespace {

constexpr int precision = 22;  // bits after the point of a weight, so that 255 sums fit 32 bits

/// The inputs of one output, and their weights: of 2^precision.
struct Window {
  Dim first = 0;
  std::vector<std::int32_t> weights = {};
};

Window window_of(Dim output, Dim from, Dim to) {
  const double scale = static_cast<double>(from) / static_cast<double>(to);
  const double reach = std::max(scale, 1.0);
  const double centre = (static_cast<double>(output) + 0.5) * scale;
  const Dim begin = std::max<Dim>(static_cast<Dim>(centre - reach + 0.5), 0);
  const Dim end = std::min(static_cast<Dim>(centre + reach + 0.5), from);
  std::vector<double> weights;
  double sum = 0;
  for (Dim j = begin; j < end; ++j) {
    const double distance = std::abs((static_cast<double>(j) - centre + 0.5) * (1 / reach));
    weights.push_back(std::max(0.0, 1 - distance));
    sum += weights.back();
  }
  Window window{.first = begin};
  for (const double weight : weights) {
    window.weights.push_back(static_cast<std::int32_t>(0.5 + weight / sum * (1 << precision)));
  }
  return window;
}

/// (outer, from, inner) -> (outer, to, inner).
std::vector<std::uint8_t> resample(const std::vector<std::uint8_t>& pixels, Dim from, Dim to,
                                   Dim inner) {
  if (from == to) return pixels;
  const Dim outer = std::ssize(pixels) / (from * inner);
  std::vector<Window> windows;
  for (Dim i = 0; i < to; ++i) windows.push_back(window_of(i, from, to));
  std::vector<std::uint8_t> out;
  out.reserve(static_cast<std::size_t>(outer * to * inner));
  std::vector<std::int32_t> sums(static_cast<std::size_t>(inner));
  for (Dim o = 0; o < outer; ++o) {
    for (const Window& window : windows) {
      std::fill(sums.begin(), sums.end(), 1 << (precision - 1));
      const std::uint8_t* row = pixels.data() + (o * from + window.first) * inner;
      for (const std::int32_t weight : window.weights) {
        for (Dim i = 0; i < inner; ++i) sums[static_cast<std::size_t>(i)] += weight * row[i];
        row += inner;
      }
      for (const std::int32_t sum : sums) {
        out.push_back(static_cast<std::uint8_t>(std::min(sum >> precision, 255)));
      }
    }
  }
  return out;
}

}  // namespace

Image resize(const Image& image, Dim height, Dim width) {
  image.check("resize");
  FOVEA_CHECK(height > 0 && width > 0, "resize: expected a size of at least 1 x 1, found ", height,
              " x ", width);
  const auto columns = resample(image.pixels, image.width, width, image.channels);
  return {height, width, image.channels,
          resample(columns, image.height, height, width * image.channels)};
}

}  // namespace fovea
