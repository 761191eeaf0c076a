#include "fovea/picture/png.h"

#include <gtest/gtest.h>
#include <png.h>

#include "fovea/base/check.h"

namespace fovea {
namespace {

TEST(Png, GivesThePixelsBack) {
  const Pixels pixels{.width = 2, .height = 1, .rgb = {255, 0, 0, 1, 2, 3}};
  const std::string file = png_of(pixels);
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  ASSERT_NE(png_image_begin_read_from_memory(&image, file.data(), file.size()), 0);
  EXPECT_EQ(image.width, 2U);
  EXPECT_EQ(image.height, 1U);
  image.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> read(PNG_IMAGE_SIZE(image));
  ASSERT_NE(png_image_finish_read(&image, nullptr, read.data(), 0, nullptr), 0);
  EXPECT_EQ(read, pixels.rgb);
}

TEST(Png, RefusesWhatIsNoPicture) {
  EXPECT_THROW(png_of({}), Error);
  EXPECT_THROW(png_of({.width = 2, .height = 2, .rgb = {1, 2, 3}}), Error);
  EXPECT_THROW(png_of({.width = 40000, .height = 1, .rgb = {}}), Error);
}

}  // namespace
}  // namespace fovea
