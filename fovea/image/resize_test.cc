#include "fovea/image/resize.h"

#include <gtest/gtest.h>

#include "fovea/base/check.h"
#include "fovea/image/png.h"

namespace fovea {
namespace {

TEST(Resize, HasTheBitsOfPil) {  // tests/fixtures/make_images.py
  const std::filesystem::path folder = FOVEA_FIXTURES "/images";
  for (const std::string name : {"colour", "grey"}) {
    const Image image = read_png(folder / (name + ".png"));
    for (const auto& [height, width] :
         {std::pair<Dim, Dim>{9, 12}, {50, 64}, {5, 37}, {23, 10}, {1, 1}, {60, 20}}) {
      const std::string file = concat(name, "-", height, "x", width, ".png");
      EXPECT_EQ(resize(image, height, width), read_png(folder / file)) << file;
    }
  }
}

TEST(Resize, LeavesTheSameSizeAsItIs) {
  const Image image{2, 3, 1, {0, 50, 100, 150, 200, 255}};
  EXPECT_EQ(resize(image, 2, 3), image);
}

TEST(Resize, RefusesASizeOfNothing) {
  const Image image{1, 1, 1, {9}};
  EXPECT_THROW(resize(image, 0, 1), Error);
  EXPECT_THROW(resize(image, 1, -1), Error);
  EXPECT_THROW(resize({}, 1, 1), Error);
}

}  // namespace
}  // namespace fovea
