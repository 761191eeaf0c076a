#include "fovea/data/columns.h"

#include <gtest/gtest.h>

#include "fovea/data/data_testing.h"

namespace fovea {
namespace {

using Words = std::vector<std::string>;

class ColumnsTest : public FolderTest {
 protected:
  static std::vector<ColumnSentence> read(const std::filesystem::path& path,
                                          std::initializer_list<Dim> columns) {
    std::vector<TextFile> files;
    for (const Dim column : columns) files.push_back({.path = path, .column = column});
    std::vector<ColumnSentence> all;
    ColumnReader reader(files);
    for (ColumnSentence sentence; reader.next(sentence);) all.push_back(sentence);
    return all;
  }
};

constexpr std::string_view kText =
    "-DOCSTART- -X- O\n\nEU NNP B-ORG\nrejects\tVBZ  O \r\n\n \n\nPeter NNP B-PER\n"
    "-DOCSTART- -X- O\nBRUSSELS NNP B-LOC";

TEST_F(ColumnsTest, AreReadSentenceBySentence) {
  for (const auto& path :
       {write("a.txt", kText), write("a.gz", gzipped(kText)), write("a.xz", xzipped(kText))}) {
    const auto all = read(path, {1, 3});
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[0].columns, (std::vector<Words>{{"EU", "rejects"}, {"B-ORG", "O"}}));
    EXPECT_EQ(all[0].line, 3);
    EXPECT_EQ(all[1].columns, (std::vector<Words>{{"Peter"}, {"B-PER"}}));
    EXPECT_EQ(all[1].line, 8);
    EXPECT_EQ(all[2].columns[0], Words{"BRUSSELS"});
    EXPECT_EQ(all[2].line, 10);
  }
  EXPECT_TRUE(read(write("empty.txt", ""), {1}).empty());
  EXPECT_TRUE(read(write("blank.txt", "\n\n"), {1}).empty());
}

TEST_F(ColumnsTest, MalformedLinesAreNamed) {
  const auto path = write("a.txt", "a X O\nb X O\n\nc X\n");
  expect_says(message_of([&] {
                read(path, {1, 2});
              }),
              {"a.txt:4: expected 3 columns as in the lines before, found 2", "'c X'"});
  expect_says(message_of([&] { read(path, {1, 3}); }), {"a.txt:4: has 2 columns", "column 3"});
  expect_says(message_of([&] { read(path, {4}); }), {"a.txt:1: has 3 columns", "column 4"});
  expect_says(message_of([&] { read(path, {0}); }), {"which column?", "a.txt#1"});
  expect_says(message_of([&] {
                ColumnReader({{path, 1}, {write("b.txt", ""), 2}});
              }),
              {"stand in one file"});
}

}  // namespace
}  // namespace fovea
