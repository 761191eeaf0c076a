#include "fovea/picture/png.h"

#include <png.h>

#include "fovea/base/check.h"

namespace fovea {

std::string png_of(const Pixels& pixels) {
  constexpr Dim most = 32768;  // on either side
  FOVEA_CHECK(pixels.width > 0 && pixels.height > 0 && pixels.width <= most &&
                  pixels.height <= most &&
                  std::ssize(pixels.rgb) == 3 * pixels.width * pixels.height,
              "png: ", pixels.width, " x ", pixels.height, " pixels (at most ", most,
              " on either side, at least one) and ", pixels.rgb.size(), " bytes");
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(pixels.width);
  image.height = static_cast<png_uint_32>(pixels.height);
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string out(size, '\0');
  const int done =
      png_image_write_to_memory(&image, out.data(), &size, 0, pixels.rgb.data(), 0, nullptr);
  FOVEA_CHECK(done != 0, "png: ", image.message);
  out.resize(size);
  return out;
}

}  // namespace fovea
