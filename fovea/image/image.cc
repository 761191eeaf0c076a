#include "fovea/image/image.h"

#include "fovea/base/check.h"

namespace fovea {

void Image::check(std::string_view what) const {
  constexpr Dim longest = Dim{1} << 30;  // so that no product below overflows
  FOVEA_CHECK(height > 0 && width > 0 && height <= longest && width <= longest &&
                  (channels == 1 || channels == 3) &&
                  std::ssize(pixels) == height * width * channels,
              what, ": expected an image with 1 or 3 channels and at least one pixel, found ",
              height, " x ", width, " with ", channels, " channels and ", pixels.size(), " bytes");
}

Image with_channels(Image image, Dim channels) {
  image.check("image");
  FOVEA_CHECK(channels == 1 || channels == 3, "image: expected 1 or 3 channels, found ", channels);
  if (image.channels == channels) return image;
  Image out{.height = image.height, .width = image.width, .channels = channels};
  out.pixels.reserve(static_cast<std::size_t>(out.height * out.width * channels));
  if (channels == 3) {
    for (const std::uint8_t grey : image.pixels) {
      out.pixels.insert(out.pixels.end(), {grey, grey, grey});
    }
    return out;
  }
  for (std::size_t i = 0; i < image.pixels.size(); i += 3) {
    const std::uint32_t red = image.pixels[i], green = image.pixels[i + 1],
                        blue = image.pixels[i + 2];
    const std::uint32_t luma = 19595 * red + 38470 * green + 7471 * blue;  // of 2^16
    out.pixels.push_back(static_cast<std::uint8_t>((luma + (1U << 15)) >> 16));
  }
  return out;
}

}  // namespace fovea
