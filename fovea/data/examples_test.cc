#include "fovea/data/examples.h"

#include <gtest/gtest.h>

namespace fovea {
namespace {

struct Part {
  std::string name;
  float weight = 0;
  template <class V>
  void columns(V& visit) {
    visit(name), visit(weight);
  }
};

struct Mixed {
  std::vector<std::int32_t> ids;
  std::vector<std::uint8_t> pixels;
  std::int32_t label = -1;
  std::string text;
  std::vector<std::string> words;
  std::vector<Part> parts;
  template <class V>
  void columns(V& visit) {
    visit(ids), visit(pixels), visit(label), visit(text), visit(words), visit(parts);
  }
};

TEST(Examples, GiveBackEveryColumn) {
  ExampleWriter<Mixed> writer(::testing::TempDir());
  writer.add({.ids = {1, 2, 3},
              .pixels = {255},
              .label = 7,
              .text = "äh",
              .words = {"a", ""},
              .parts = {{"x", 0.5F}}},
             3, 11);
  writer.add({}, 0, 12);
  const Examples<Mixed> examples = writer.finish();
  ASSERT_EQ(examples.size(), 2);
  const Mixed first = examples[0], second = examples[1];
  EXPECT_EQ(first.ids, (std::vector<std::int32_t>{1, 2, 3}));
  EXPECT_EQ(first.pixels, std::vector<std::uint8_t>{255});
  EXPECT_EQ(first.label, 7);
  EXPECT_EQ(first.text, "äh");
  EXPECT_EQ(first.words, (std::vector<std::string>{"a", ""}));
  ASSERT_EQ(first.parts.size(), 1U);
  EXPECT_EQ(first.parts[0].name, "x");
  EXPECT_EQ(first.parts[0].weight, 0.5F);
  EXPECT_TRUE(second.ids.empty() && second.text.empty() && second.parts.empty());
  EXPECT_EQ(second.label, -1);
  EXPECT_EQ(examples.rows()[0], 3);
  EXPECT_EQ(examples.line(1), 12);
}

TEST(Examples, NameTheirLines) {
  ExampleWriter<Part> writer(::testing::TempDir());
  for (std::int64_t line = 1; line <= 10; ++line) writer.add({}, 1, line);
  const Examples<Part> examples = writer.finish();
  const std::vector<std::uint32_t> some = {0, 4}, all = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_EQ(examples.lines(some), "lines 1, 5");
  EXPECT_EQ(examples.lines(all), "lines 1, 2, 3, 4, 5, 6, 7, 8 and 2 more");
  EXPECT_THROW(examples[10], Error);
}

TEST(Examples, OfAnEmptySetAreNone) {
  ExampleWriter<Part> writer(::testing::TempDir());
  const Examples<Part> examples = writer.finish();
  EXPECT_EQ(examples.size(), 0);
  EXPECT_TRUE(examples.rows().empty());
}

}  // namespace
}  // namespace fovea
