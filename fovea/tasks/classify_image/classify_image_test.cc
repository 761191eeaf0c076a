/// The whole way of a tiny Vision Transformer: idx files, training, folder, answers, pictures.
#include "fovea/tasks/classify_image/classify_image.h"

#include <gtest/gtest.h>

#include "fovea/image/png.h"
#include "fovea/tasks/task_testing.h"

namespace fovea {
namespace {

constexpr const char* toml = R"(
task = "classify-image"
data = { train = ["images.idx", "labels.idx"], split = { dev = 0.1, test = 0.1 } }
batch = { rows = 170 }
model = { patch = 2, layers = 2, width = 32, heads = 2, hidden = 32 }
train = { epochs = 20, schedule = { kind = "linear", rate = 2e-3, warmup = 40 } }
)";

constexpr Dim side = 8;

/// A bright patch in one of the quarters of a noisy image; its quarter is the
/// class.
Image square(std::uint32_t quarter, const Draws& draws, std::uint64_t number) {
  Image image{side, side, 1, std::vector<std::uint8_t>(side * side)};
  for (std::size_t i = 0; i < image.pixels.size(); ++i) {
    image.pixels[i] = static_cast<std::uint8_t>(draws.below(100 * number + i, 60));
  }
  const Dim y = (quarter / 2) * 4 + 2 * draws.below(100 * number + 90, 2);
  const Dim x = (quarter % 2) * 4 + 2 * draws.below(100 * number + 91, 2);
  for (const Dim at :
       {y * side + x, y * side + x + 1, (y + 1) * side + x, (y + 1) * side + x + 1}) {
    image.pixels[static_cast<std::size_t>(at)] = 255;
  }
  return image;
}

class TinyVit : public TinyTask<ClassifyImage> {
 protected:
  TinyVit() : TinyTask(toml) {
    const Draws draws = {.seed = 3};
    std::string images, labels;
    for (std::uint32_t i = 0; i < count; ++i) {
      const Image image = square(i % 4, draws, i);
      images.append(image.pixels.begin(), image.pixels.end());
      labels += static_cast<char>(i % 4);
    }
    write("images.idx", {count, side, side}, images);
    write("labels.idx", {count}, labels);
  }

  void write(const std::string& name, const std::vector<std::uint32_t>& extents,
             const std::string& bytes) const {
    std::ofstream out(folder_ / name, std::ios::binary);
    out << '\0' << '\0' << '\x08' << static_cast<char>(extents.size());
    for (const std::uint32_t extent : extents) {
      for (const int shift : {24, 16, 8, 0}) out << static_cast<char>(extent >> shift & 0xFFU);
    }
    out << bytes;
  }

  static constexpr std::uint32_t count = 1200;
};

TEST_F(TinyVit, LearnsIsMeasuredAnswersAndIsSeen) {
  const TrainResult result = trained(recipe({"data.names=[\"a\", \"b\", \"c\", \"d\"]"}));
  EXPECT_EQ(result.best->name, "loss");
  const auto model = runner();
  const TestResult test = model->test({});
  EXPECT_EQ(test.reports[0].figure.name, "accuracy");
  EXPECT_GT(test.reports[0].figure.value, 90);

  const Image image = square(2, {.seed = 77}, 1);
  const Input input{.media = {{"square.png", encode_png(image)}}};
  const Answer answer = model->run(std::span(&input, 1), {})[0];
  EXPECT_EQ(answer.text, "c");
  EXPECT_GT(answer.json["probabilities"]["c"], 0.5);
  std::ofstream(folder_ / "square.png", std::ios::binary) << encode_png(image);
  const std::vector<std::string> files = {(folder_ / "square.png").string()};
  EXPECT_EQ(model->run(files, {})[0].text, "c") << "a line names a file";

  const RunRecord record = model->record(files, {}, {})[0];
  EXPECT_EQ(record.output, "c");
  ASSERT_EQ(record.media.size(), 1U);
  EXPECT_EQ(record.media[0].image, image);
  ASSERT_EQ(record.places.size(), 1U);
  EXPECT_EQ(record.places[0].count(), 16);
  EXPECT_EQ(record.tokens("image").size(), 17U);
  EXPECT_EQ(record.layers.size(), 2U);
  ASSERT_TRUE(record.alignment);
}

TEST_F(TinyVit, ReadsImagesOfOtherSizesAndColours) {
  trained(recipe({"train.epochs=1"}));
  const auto model = runner();
  const Image colour{3, 5, 3, std::vector<std::uint8_t>(45, 200)};
  const Input input{.media = {{"colour.png", encode_png(colour)}}};
  EXPECT_FALSE(model->run(std::span(&input, 1), {})[0].text.empty());
}

TEST_F(TinyVit, ResumesWithTheSameBits) {
  const std::string steady = "train.schedule={ kind = \"constant\", rate = 1e-2, warmup = 1 }";
  trained(recipe({"train.epochs=4", steady}), "straight");
  trained(recipe({"train.epochs=2", steady}), "run");
  trained(recipe({"train.epochs=4", steady}), "run", true);
  const auto bytes = [&](const char* run) {
    std::ifstream in(folder_ / run / "model.safetensors", std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  EXPECT_TRUE(bytes("straight") == bytes("run"));
}

TEST_F(TinyVit, SaysWhatIsWrong) {
  expect_says([&] { work(recipe({"model.patch=3"})); }, "8 x 8 pixels are not cut into whole");
  expect_says([&] { work(recipe({"data.train=[\"images.idx\"]"})); }, "two idx files");
  write("few.idx", {3}, "abc");
  expect_says([&] { work(recipe({"data.train=[\"images.idx\", \"few.idx\"]"})); },
              "3 labels for 1200 images");
  expect_says([&] { work(recipe({"data.train=[\"labels.idx\", \"images.idx\"]"})); },
              "expected images");
  trained(recipe({"train.epochs=1"}));
  const auto model = runner();
  const Input none{.text = "a line"}, damaged{.media = {{"bad.png", "no image"}}};
  expect_says([&] { model->run(std::span(&none, 1), {}); }, "expected one PNG, found 0");
  expect_says([&] { model->run(std::span(&damaged, 1), {}); }, "bad.png");
  expect_refused(*model, {(folder_ / "nowhere.png").string()}, 0);
}

}  // namespace
}  // namespace fovea
