#include "fovea/inspect/png_map.h"

#include <gtest/gtest.h>

#include "fovea/image/png.h"
#include "fovea/picture/colour.h"

namespace fovea {
namespace {

TEST(PngMap, IsASquareOfPixelsForEachWeight) {
  const AttentionMap map{.title = "",
                         .queries = {"a"},
                         .keys = {"x", "y"},
                         .weights = Tensor::of<float>({1, 2}, {1, 0})};
  Image expected{.height = 24, .width = 48, .channels = 3};
  for (int y = 0; y < 24; ++y) {
    for (int x = 0; x < 48; ++x) {
      const Rgb colour = heat_rgb(x < 24 ? 1 : 0);
      expected.pixels.insert(expected.pixels.end(), {colour.red, colour.green, colour.blue});
    }
  }
  EXPECT_EQ(png_map(map), encode_png(expected));
  EXPECT_THROW(png_map({.title = "", .queries = {}, .keys = {}, .weights = Tensor::zeros({0, 0})}),
               Error);
}

}  // namespace
}  // namespace fovea
