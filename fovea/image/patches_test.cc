#include "fovea/image/patches.h"

#include <gtest/gtest.h>

#include <numeric>

#include "fovea/base/check.h"

namespace fovea {
namespace {

/// Pixels 0, 1, 2, ...
Image counted(Dim height, Dim width, Dim channels) {
  Image image{height, width, channels, {}};
  image.pixels.resize(static_cast<std::size_t>(height * width * channels));
  std::iota(image.pixels.begin(), image.pixels.end(), 0);
  return image;
}

std::vector<int> row_of(const Tensor& rows, Dim row) {
  std::vector<int> out;
  for (Dim i = 0; i < rows.cols(); ++i) {
    const float value = 255 * rows.view<float>()[row][i];
    EXPECT_GE(value, 0);
    out.push_back(static_cast<int>(value + 0.5F));
  }
  return out;
}

TEST(PatchRows, GoRowByRow) {
  const Image image = counted(4, 6, 1);
  const Tensor rows = patch_rows({&image, 1}, 2);
  ASSERT_EQ(rows.shape(), (Shape{6, 4}));
  EXPECT_EQ(row_of(rows, 0), (std::vector{0, 1, 6, 7}));
  EXPECT_EQ(row_of(rows, 1), (std::vector{2, 3, 8, 9}));
  EXPECT_EQ(row_of(rows, 3), (std::vector{12, 13, 18, 19}));
  EXPECT_EQ(row_of(rows, 5), (std::vector{16, 17, 22, 23}));
}

TEST(PatchRows, KeepTheChannelsOfAPixelTogether) {
  const Image image = counted(2, 4, 3);
  const Tensor rows = patch_rows({&image, 1}, 2);
  ASSERT_EQ(rows.shape(), (Shape{2, 12}));
  EXPECT_EQ(row_of(rows, 1), (std::vector{6, 7, 8, 9, 10, 11, 18, 19, 20, 21, 22, 23}));
}

TEST(PatchRows, ScaleToOne) {
  const Image image{1, 3, 1, {0, 51, 255}};
  EXPECT_TRUE(
      identical(patch_rows({&image, 1}, 1), Tensor::of<float>({3, 1}, {0, 51.0F / 255, 1})));
}

TEST(PatchRows, JoinImagesOfSeveralSizes) {
  std::vector<Image> images;
  for (int i = 0; i < 40; ++i) images.push_back(counted(2, 2 + 2 * (i % 3), 1));
  const Tensor all = patch_rows(images, 2);
  Dim row = 0;
  for (const Image& image : images) {
    const Tensor one = patch_rows({&image, 1}, 2);
    EXPECT_TRUE(identical(all.slice(row, row + one.rows()), one));
    row += one.rows();
  }
  EXPECT_EQ(row, all.rows());
}

TEST(PatchRows, RefuseWhatDoesNotFit) {
  const std::vector<Image> mixed = {counted(2, 2, 1), counted(2, 2, 3)};
  EXPECT_THROW(patch_rows(mixed, 2), Error);
  EXPECT_THROW(patch_rows({mixed.data(), 1}, 3), Error);
  EXPECT_THROW(patch_rows({mixed.data(), 1}, 0), Error);
  EXPECT_THROW(patch_rows({}, 2), Error);
}

}  // namespace
}  // namespace fovea
