#include "fovea/data/lines.h"

#include <gtest/gtest.h>

#include "fovea/base/error_testing.h"
#include "fovea/data/data_testing.h"
#include "fovea/data/parallel.h"

namespace fovea {
namespace {

using LinesTest = FolderTest;
using ParallelTest = FolderTest;
using Lines = std::vector<std::string>;

Lines lines_of(const std::filesystem::path& path) {
  LineReader reader(path);
  Lines lines;
  for (std::string line; reader.next(line);) lines.push_back(line);
  EXPECT_EQ(reader.number(), static_cast<std::int64_t>(lines.size()));
  return lines;
}

/// More than any buffer holds, and not simply repeating.
std::string long_text(int count, Lines* lines = nullptr) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    const std::string line = concat("line ", i, " h\u00e4lt ", i * 7919 % 10007);
    text += line + "\n";
    if (lines) lines->push_back(line);
  }
  return text;
}

TEST_F(LinesTest, ReadsPlainGzipAndXzAlike) {
  Lines expected;
  const std::string text = long_text(20000, &expected);
  EXPECT_EQ(lines_of(write("plain.gz", text)), expected);  // the name says nothing
  EXPECT_EQ(lines_of(write("gzip.txt", gzipped(text))), expected);
  EXPECT_EQ(lines_of(write("xz", xzipped(text))), expected);
}

TEST_F(LinesTest, ReadsPackedPartsAsOne) {
  const Lines expected = {"one", "two", "three", "four"};
  EXPECT_EQ(lines_of(write("gz", gzipped("one\ntw") + gzipped("") + gzipped("o\nthree\nfour\n"))),
            expected);
  EXPECT_EQ(lines_of(write("xz", xzipped("one\ntw") + xzipped("") + xzipped("o\nthree\nfour\n"))),
            expected);
}

TEST_F(LinesTest, ZerosAfterAPackedFileFillItsLastBlock) {
  EXPECT_EQ(lines_of(write("gz", gzipped("one\n") + std::string(512, '\0'))), Lines{"one"});
  EXPECT_EQ(lines_of(write("gz", gzipped("one\n") + std::string(3, '\0') + gzipped("two\n"))),
            (Lines{"one", "two"}));
}

TEST_F(LinesTest, EndsOfLinesAndOfFiles) {
  EXPECT_EQ(lines_of(write("none", "")), Lines{});
  EXPECT_EQ(lines_of(write("gz", gzipped(""))), Lines{});
  EXPECT_EQ(lines_of(write("xz", xzipped(""))), Lines{});
  EXPECT_EQ(lines_of(write("empty", "\n")), Lines{""});
  EXPECT_EQ(lines_of(write("unended", "a\nb")), (Lines{"a", "b"}));
  EXPECT_EQ(lines_of(write("windows", "a\r\n\r\nb\r")), (Lines{"a", "", "b"}));
  EXPECT_EQ(lines_of(write("mark",
                           "\xef\xbb\xbf"
                           "a\n\xef\xbb\xbf"
                           "b\n")),
            (Lines{"a",
                   "\ufeff"
                   "b"}));
}

TEST_F(LinesTest, LinesLongerThanTheBuffer) {
  const std::string line(300000, 'x');
  EXPECT_EQ(lines_of(write("long", line + "\n" + line + "\ny")), (Lines{line, line, "y"}));
  // An end of line, and then the end of the file, just where the buffer ends.
  const std::string edge((1 << 16) - 1, 'x');
  EXPECT_EQ(lines_of(write("edge", edge + "\n")), Lines{edge});
  EXPECT_EQ(lines_of(write("past", edge + "\n\n")), (Lines{edge, ""}));
  EXPECT_EQ(lines_of(write("carriage", edge + "\r\nz")), (Lines{edge, "z"}));
}

TEST_F(LinesTest, NamesAFileThatCannotBeRead) {
  const auto reading = [](const std::filesystem::path& path) {
    return message_of([&] { lines_of(path); });
  };
  expect_says(reading(folder_ / "missing.txt"), {"missing.txt: cannot be opened", "No such file"});
  expect_says(reading(folder_), {folder_.string(), "is a folder"});
  expect_says(reading(write("a.zip", "PK\3\4....")), {"a.zip: is a zip archive", "unpack it"});
  expect_says(reading(write("a.bz2", "BZh91AY")), {"a.bz2: is packed with bzip2"});
  expect_says(reading(write("utf16",
                            "\xff\xfe"
                            "a")),
              {"utf16: is UTF-16", "iconv"});
}

TEST_F(LinesTest, NamesAFileThatIsCutOffOrDamaged) {
  const std::string text = long_text(20000), gz = gzipped(text), xz = xzipped(text);
  const auto reading = [&](const std::string& name, const std::string& bytes) {
    return message_of([&] { lines_of(write(name, bytes)); });
  };
  for (const std::size_t left : {std::size_t{20}, gz.size() / 2, gz.size() - 1}) {
    expect_says(reading("gz", gz.substr(0, left)), {"gz: is cut off", "fetch it again"});
  }
  for (const std::size_t left : {std::size_t{20}, xz.size() / 2, xz.size() - 1}) {
    expect_says(reading("xz", xz.substr(0, left)), {"xz: is cut off", "fetch it again"});
  }
  std::string bad_gz = gz, bad_xz = xz;
  bad_gz[gz.size() / 2] ^= 0x40;
  bad_xz[xz.size() / 2] ^= 0x40;
  expect_says(reading("gz", bad_gz), {"gz: is damaged", "fetch it again"});
  expect_says(reading("xz", bad_xz), {"xz: is damaged", "fetch it again"});
  expect_says(reading("gz", gz + "and more"), {"gz: is damaged"});
}

TEST_F(LinesTest, NamesTheLineThatIsNotUtf8) {
  const auto path = write("latin1", "fine\nh\xe4lt\n");
  expect_says(message_of([&] { lines_of(path); }), {"latin1:2: is not UTF-8", "iconv"});
  const auto noise = write("x.gz", "\x8f\xe4\x02\xff\n");
  expect_says(message_of([&] { lines_of(noise); }),
              {"x.gz:1: is neither gzip data, as the file's name says, nor UTF-8", "fetch it"});
}

TEST(TextFile, IsAPathAndPerhapsAColumn) {
  EXPECT_EQ(parse_text_file("a/b.txt"), (TextFile{"a/b.txt", 0}));
  EXPECT_EQ(parse_text_file("a.tsv#2"), (TextFile{"a.tsv", 2}));
  EXPECT_EQ(parse_text_file("c#/a"), (TextFile{"c#/a", 0}));
  EXPECT_EQ(parse_text_file("c#1/a#3"), (TextFile{"c#1/a", 3}));
  EXPECT_EQ(parse_text_file("a.txt#first"), (TextFile{"a.txt", TextFile::first_word}));
  EXPECT_EQ(parse_text_file("a.txt#rest"), (TextFile{"a.txt", TextFile::after_first_word}));
  for (const char* spec : {"a/b.txt", "a.tsv#2", "c#/a", "a.txt#first", "a.txt#rest"}) {
    EXPECT_EQ(spec_of(parse_text_file(spec)), spec);
  }
  for (const char* spec : {"a#0", "#2", ""}) {
    EXPECT_EQ(kind_thrown_by([&] { parse_text_file(spec); }), ErrorKind::bad_setting) << spec;
  }
}

TEST_F(LinesTest, TellsMissingFilesFromBadOnes) {
  const auto kind_of_reading = [](const std::filesystem::path& path) {
    return kind_thrown_by([&] { lines_of(path); });
  };
  const std::string packed = gzipped("one\n");
  EXPECT_EQ(kind_of_reading(folder_ / "none"), ErrorKind::not_found);
  EXPECT_EQ(kind_of_reading(folder_), ErrorKind::bad_file);
  EXPECT_EQ(kind_of_reading(write("bytes", "\xff\n")), ErrorKind::bad_file);
  EXPECT_EQ(kind_of_reading(write("cut.gz", packed.substr(0, packed.size() - 5))),
            ErrorKind::bad_file);
}

TEST_F(LinesTest, ReadsLatin1WhereItIsTold) {
  const auto path = write("old", "clich\xe9 \xff\n");
  TextReader reader({.path = path, .encoding = Encoding::latin1});
  std::string text;
  EXPECT_TRUE(reader.next(text));
  EXPECT_EQ(text, "cliché ÿ");
  TextReader modern({path});
  EXPECT_THROW(modern.next(text), Error);
}

TEST_F(LinesTest, GivesTheFirstWordAndTheRest) {
  const auto path = write("labelled", "1 a b\tc\nalone\n");
  TextReader first({path, TextFile::first_word}), rest({path, TextFile::after_first_word});
  std::string text;
  EXPECT_TRUE(first.next(text));
  EXPECT_EQ(text, "1");
  EXPECT_TRUE(rest.next(text));
  EXPECT_EQ(text, "a b\tc");
  expect_says(message_of([&] { first.next(text); }), {"labelled:2", "'alone'"});
}

TEST_F(LinesTest, GivesAColumn) {
  const auto path = write("pairs", "a\tb\tc\n\td\n");
  TextReader second({path, 2});
  std::string text;
  EXPECT_TRUE(second.next(text));
  EXPECT_EQ(text, "b");
  EXPECT_TRUE(second.next(text));
  EXPECT_EQ(text, "d");
  EXPECT_FALSE(second.next(text));
  TextReader third({path, 3});
  EXPECT_TRUE(third.next(text));
  EXPECT_EQ(text, "c");
  expect_says(message_of([&] { third.next(text); }), {"pairs:2: has 2 columns", "column 3"});
}

TEST_F(ParallelTest, ReadsFilesAndColumnsTogether) {
  const auto one = write("one", "a\tA\nb\tB\n"), two = write("two", gzipped("x\ny\n"));
  ParallelReader reader({{one, 2}, {two, 0}, {one, 1}});
  Lines fields;
  EXPECT_TRUE(reader.next(fields));
  EXPECT_EQ(fields, (Lines{"A", "x", "a"}));
  EXPECT_TRUE(reader.next(fields));
  EXPECT_EQ(fields, (Lines{"B", "y", "b"}));
  EXPECT_EQ(reader.number(), 2);
  EXPECT_FALSE(reader.next(fields));
}

TEST_F(ParallelTest, SaysBothCountsWhenFilesDiffer) {
  const auto three = write("three", "a\nb\nc\n"), five = write("five", "1\n2\n3\n4\n5\n");
  const auto reading = [](const std::vector<TextFile>& files) {
    ParallelReader reader(files);
    for (Lines fields; reader.next(fields);) continue;
  };
  expect_says(message_of([&] { reading({{three}, {five}}); }), {"three has 3", "five has 5"});
  expect_says(message_of([&] { reading({{five}, {three}}); }), {"three has 3", "five has 5"});
}

}  // namespace
}  // namespace fovea
