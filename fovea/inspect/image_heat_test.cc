#include "fovea/inspect/image_heat.h"

#include <gtest/gtest.h>

#include "fovea/image/png.h"
#include "fovea/inspect/run_testing.h"
#include "fovea/inspect/terminal_shades.h"

namespace fovea {
namespace {

/// Two black pixels, one of which has all the weight.
ImageHeat pair() { return {"two", {1, 2, 1, {0, 0}}, {1, 2}, {0.5F, 0}, {}}; }

TEST(ImageHeat, ShadesUpToTheLargestWeight) {
  EXPECT_EQ(pair().shades(), (std::vector<float>{1, 0}));
  ImageHeat nothing = pair();
  nothing.weights = {0, 0};
  EXPECT_EQ(nothing.shades(), (std::vector<float>{0, 0}));
  nothing.weights = {0};
  EXPECT_THROW(nothing.shades(), Error);
}

TEST(ImageHeat, IsTheRowOfTheClassToken) {
  const ImageHeat heat = main_image(image_run()).value();
  EXPECT_EQ(heat.title, "encoder.1.self mean, [class] (largest weight 0.286)");
  ASSERT_EQ(heat.weights.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(heat.weights[i], static_cast<double>(i + 1) / 21, 1e-6);
  }
  EXPECT_EQ(heat.image, image_run().medium("image").image);
}

TEST(ImageHeat, IsTheMeanOfAllRowsWithoutAClassToken) {
  RunRecord run = image_run();
  run.places.clear();
  run.sequences[0].tokens.pop_back();
  for (RunRecord::Layer& layer : run.layers) {
    layer.rows = layer.cols = 6;
    layer.weights.assign(2 * 6 * 6, 0);
  }
  run.layers[1].weights[6 + 2] = 1;  // head 0, row 1, key 2
  run.add(RunRecord::Places{"patches", "image", 0, RunRecord::Grid{3, 2}});
  const ImageHeat heat = main_image(run).value();
  EXPECT_EQ(heat.title, "encoder.1.self mean, mean of 6 queries (largest weight 0.083)");
  EXPECT_NEAR(heat.weights[2], 1.0 / 12, 1e-6);
  EXPECT_EQ(heat.weights[3], 0);
}

TEST(ImageHeat, CountsAClassTokenAfterThePatches) {
  RunRecord run = image_run();
  run.places[0].first = 0;
  EXPECT_EQ(main_image(run)->title, "encoder.1.self mean, 2,3 (largest weight 0.143)");
}

TEST(ImageHeat, IsOfAnyRowsOfAHead) {
  RunRecord run = image_run();
  run.layers[1].weights[7 * 7] = 0;
  run.layers[1].weights[7 * 7 + 1] = 0.5F;  // head 1, the class token, the first patch
  EXPECT_FLOAT_EQ(shaded_image(run, "encoder.1.self", 1, 0, 1).weights[0], 0.5F);
  EXPECT_FLOAT_EQ(shaded_image(run, "encoder.1.self", 0, 0, 1).weights[0], 1.0F / 21);
  EXPECT_THROW(shaded_image(run, "encoder.1.self", 0, 1, 1), Error);
  EXPECT_THROW(shaded_image(run, "encoder.1.self", 0, 0, 8), Error);
  run.places.clear();
  EXPECT_THROW(shaded_image(run, "encoder.1.self", 0, 0, 1), Error);
}

TEST(ImageHeat, IsPlainWhereNoLayerLooksAtPatches) {
  RunRecord run = image_run();
  run.places.clear();
  run.add(RunRecord::Places{"patches", "image", 1, std::vector<RunRecord::Box>{{1, 1, 2, 2}}});
  const ImageHeat heat = main_image(run).value();
  EXPECT_TRUE(heat.weights.empty());
  EXPECT_EQ(heat.boxes.size(), 1U);
  run.layers.clear();
  run.alignment.reset();
  EXPECT_TRUE(main_image(run).has_value());
  EXPECT_FALSE(main_image(sample_run()).has_value());
}

TEST(ImageHeat, StandsInATerminal) {
  // Black, and black under a grey veil: 128 * 210 / 255 = 105, next to which stands 108, number
  // 242.
  const std::string black = "\x1b[38;5;16;48;5;16m\u2580", veiled = "\x1b[38;5;242;48;5;242m\u2580";
  EXPECT_EQ(terminal_image(pair(), {.width = 5}),
            "two\n" + black + black + veiled + veiled + "\x1b[0m\n");
  EXPECT_EQ(terminal_image(pair(), {.shades = Shades::ascii}), "two\n@@\n");
  EXPECT_EQ(terminal_image(pair(), {.shades = Shades::blocks}), "two\n\u2588\u2588\n");
}

TEST(ImageHeat, FitsTheTerminal) {
  ImageHeat heat{"", {300, 200, 3, std::vector<std::uint8_t>(300 * 200 * 3)}, {}, {}, {}};
  const auto lines_of = [&](Dim width) {
    const std::string text = terminal_image(heat, {.width = width});
    return std::count(text.begin(), text.end(), '\n') - 1;
  };
  EXPECT_EQ(lines_of(200), 32);  // 64 pixels
  EXPECT_EQ(lines_of(20), 15);   // 20 columns, 30 pixels
  EXPECT_EQ(lines_of(1), 1);
}

TEST(PixelCell, HasTheNearestColour) {
  EXPECT_EQ(pixel_cell({0, 0, 0}, {255, 255, 255}), "\x1b[38;5;16;48;5;231m\u2580");
  EXPECT_EQ(pixel_cell({255, 0, 0}, {0, 95, 255}), "\x1b[38;5;196;48;5;27m\u2580");
  EXPECT_EQ(pixel_cell({128, 128, 128}, {8, 8, 8}), "\x1b[38;5;244;48;5;232m\u2580");
}

TEST(ImageHeat, IsAPicture) {
  RunRecord run = image_run();
  run.add(RunRecord::Places{"patches", "image", 0, std::vector<RunRecord::Box>{{3, 2, 3, 2}}});
  const std::string svg = svg_image(main_image(run).value());
  EXPECT_NE(svg.find("data:image/png;base64,"), svg.npos);
  EXPECT_NE(svg.find("fill-opacity=\"0\"><title>0.286<"), svg.npos);
  EXPECT_NE(svg.find("<title>0.048<"), svg.npos);
  EXPECT_NE(svg.find(">1</text>"), svg.npos);
}

TEST(ImageHeat, IsPixels) {
  RunRecord run = image_run();
  run.add(RunRecord::Places{"patches", "image", 0, std::vector<RunRecord::Box>{{3, 2, 2, 2}}});
  const Image image = decode_png(png_image(main_image(run).value()), "x");
  ASSERT_EQ(image.height, 4 * 24);
  ASSERT_EQ(image.width, 6 * 24);
  const auto red = [&](Dim y, Dim x) { return image.pixels[3 * (y * image.width + x)]; };
  EXPECT_EQ(red(3 * 24 + 12, 5 * 24 + 12), 230) << "the patch with the largest weight is clear";
  const float veil = 210.0F / 255 * (1 - 1.0F / 6);
  EXPECT_NEAR(red(12, 12), veil * 128, 1);
  EXPECT_NEAR(red(12, 24 + 12), 10 + veil * (128 - 10), 1);
  EXPECT_EQ(red(2 * 24, 3 * 24), 0) << "the blue outline of the first box";
  EXPECT_EQ(red(4 * 24 - 1, 5 * 24 - 1), 0);
  EXPECT_NE(red(2 * 24 - 1, 3 * 24), 0);
  EXPECT_NE(red(3 * 24, 4 * 24), 0) << "inside";
}

}  // namespace
}  // namespace fovea
