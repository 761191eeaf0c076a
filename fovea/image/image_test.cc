#include "fovea/image/image.h"

#include <gtest/gtest.h>

#include "fovea/base/check.h"
#include "fovea/image/png.h"

namespace fovea {
namespace {

TEST(Image, ChecksItsExtents) {
  EXPECT_NO_THROW((Image{1, 2, 3, {1, 2, 3, 4, 5, 6}}.check("x")));
  EXPECT_THROW((Image{1, 2, 3, {1, 2, 3, 4, 5}}.check("x")), Error);
  EXPECT_THROW((Image{1, 1, 2, {1, 2}}.check("x")), Error);
  EXPECT_THROW(Image{}.check("x"), Error);
  EXPECT_THROW((Image{Dim{1} << 40, Dim{1} << 40, 1, {}}.check("x")), Error);
}

TEST(Image, GoesToGreyAsPilDoes) {
  const std::filesystem::path folder = FOVEA_FIXTURES "/images";
  EXPECT_EQ(with_channels(read_png(folder / "colour.png"), 1), read_png(folder / "grey.png"));
}

TEST(Image, GoesToColour) {
  EXPECT_EQ(with_channels({1, 2, 1, {7, 9}}, 3), (Image{1, 2, 3, {7, 7, 7, 9, 9, 9}}));
  EXPECT_EQ(with_channels({1, 1, 1, {7}}, 1), (Image{1, 1, 1, {7}}));
  EXPECT_THROW(with_channels({1, 1, 1, {7}}, 2), Error);
}

}  // namespace
}  // namespace fovea
