#include "fovea/data/corpus.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "fovea/data/data_testing.h"

namespace fovea {
namespace {

using CorpusTest = FolderTest;

Ids ids_of(std::span<const std::int32_t> ids) { return {ids.begin(), ids.end()}; }

TEST_F(CorpusTest, GivesBackWhatWasAdded) {
  CorpusBuilder builder(folder_, 3, true);
  builder.add({{Ids{1, 2, 3}, Ids{}, Ids{-4}}}, {{"one", "", "f\u00fcnf"}}, 7);
  builder.add({{Ids{}, Ids{}, Ids{}}}, {{"", "", ""}}, 9);
  builder.add({{Ids{5}, Ids{6, 7}, Ids{8}}}, {{"a", "bc", "d"}}, 10);
  EXPECT_TRUE(std::filesystem::is_empty(folder_)) << "nothing may be left behind";
  const Corpus corpus = builder.finish();
  EXPECT_EQ(corpus.size(), 3);
  EXPECT_EQ(corpus.fields(), 3);
  EXPECT_EQ(ids_of(corpus.ids(0, 0)), (Ids{1, 2, 3}));
  EXPECT_EQ(ids_of(corpus.ids(0, 1)), Ids{});
  EXPECT_EQ(ids_of(corpus.ids(0, 2)), Ids{-4});
  EXPECT_EQ(corpus.text(0, 0), "one");
  EXPECT_EQ(corpus.text(0, 1), "");
  EXPECT_EQ(corpus.text(0, 2), "f\u00fcnf");
  EXPECT_EQ(ids_of(corpus.ids(1, 2)), Ids{});
  EXPECT_EQ(ids_of(corpus.ids(2, 1)), (Ids{6, 7}));
  EXPECT_EQ(corpus.text(2, 1), "bc");
  EXPECT_EQ(corpus.line(0), 7);
  EXPECT_EQ(corpus.line(2), 10);
  EXPECT_EQ(corpus.length(0, 0), 3);
  EXPECT_EQ(corpus.length(2, 1), 2);
}

TEST_F(CorpusTest, ManyExamplesOutliveTheirBuilder) {
  Corpus corpus;
  {
    CorpusBuilder builder(folder_, 1, false);
    for (std::int32_t i = 0; i < 200000; ++i) {
      builder.add({{Ids(static_cast<std::size_t>(i % 7), i)}}, {}, i + 1);
    }
    corpus = builder.finish();
  }
  ASSERT_EQ(corpus.size(), 200000);
  for (std::int32_t i = 199999; i >= 0; --i) {
    ASSERT_EQ(corpus.length(i, 0), i % 7);
    ASSERT_EQ(ids_of(corpus.ids(i, 0)), Ids(static_cast<std::size_t>(i % 7), i));
    ASSERT_EQ(corpus.line(i), i + 1);
  }
  EXPECT_THROW(corpus.text(0, 0), Error);
  EXPECT_THROW(corpus.length(200000, 0), Error);
}

TEST_F(CorpusTest, MayBeEmpty) {
  EXPECT_EQ(CorpusBuilder(folder_, 2, true).finish().size(), 0);
  EXPECT_EQ(Corpus().size(), 0);
}

TEST_F(CorpusTest, RefusesWrongNumbersOfFields) {
  CorpusBuilder builder(folder_, 2, true);
  expect_says(message_of([&] { builder.add({{Ids{1}}}, {}, 1); }), {"2 fields expected, found 1"});
  expect_says(message_of([&] { builder.add({{Ids{1}, Ids{2}}}, {}, 1); }), {"texts of 2 fields"});
}

TEST_F(CorpusTest, NamesAFolderThatCannotBeWritten) {
  expect_says(message_of([&] { CorpusBuilder(folder_ / "missing", 1, false); }),
              {"missing: no temporary file can be made", "No such file"});
}

/// Files may not grow beyond this while it lives, as if the disk were full.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now = {bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  ~SmallDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_ = {};
  void (*handler_)(int);
};

TEST_F(CorpusTest, SaysWhenTheDiskIsFull) {
  const auto message = message_of([&] {
    const SmallDisk disk(3 << 20);
    CorpusBuilder builder(folder_, 1, false);
    for (int i = 0; i < 100; ++i) builder.add({{Ids(50000)}}, {}, i);
  });
  expect_says(message, {folder_.string(), "cannot be written after 3145728 bytes", "make room"});
}

}  // namespace
}  // namespace fovea
