#include "fovea/image/patches.h"

#include "fovea/base/check.h"
#include "fovea/base/threads.h"

namespace fovea {
namespace {

/// One image into its rows of the result.
void put_patches(const Image& image, Dim patch, Rows<float> rows) {
  const Dim across = image.width / patch, line = patch * image.channels;
  for (Dim y = 0; y < image.height; ++y) {
    const std::uint8_t* from = image.pixels.data() + y * image.width * image.channels;
    for (Dim column = 0; column < across; ++column) {
      float* to = rows[y / patch * across + column] + y % patch * line;
      for (Dim i = 0; i < line; ++i) *to++ = static_cast<float>(*from++) / 255;
    }
  }
}

}  // namespace

Tensor patch_rows(std::span<const Image> images, Dim patch) {
  FOVEA_CHECK(!images.empty() && patch > 0, "patches: expected images and a side of at least 1, ",
              "found ", images.size(), " images and ", patch);
  std::vector<Dim> begins = {0};
  for (const Image& image : images) {
    image.check("patches");
    FOVEA_CHECK(image.height % patch == 0 && image.width % patch == 0, "patches: an image of ",
                image.height, " x ", image.width, " pixels cannot be cut into patches of ", patch,
                " x ", patch, "; resize it");
    FOVEA_CHECK(image.channels == images.front().channels, "patches: expected images with ",
                images.front().channels, " channels, found ", image.channels);
    begins.push_back(begins.back() + image.height / patch * (image.width / patch));
  }
  const Dim cols = patch * patch * images.front().channels;
  Tensor out = Tensor::empty({begins.back(), cols});
  const Rows<float> rows = out.mutable_view<float>();
  parallel_for(std::ssize(images), 16, [&](Dim begin, Dim end) {
    for (Dim i = begin; i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      put_patches(images[at], patch, rows.range(begins[at], begins[at + 1]));
    }
  });
  return out;
}

}  // namespace fovea
