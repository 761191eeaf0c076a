#include "fovea/data/reuters.h"

#include <cstdio>

#include "fovea/data/data_testing.h"
#include "fovea/data/extract_reuters.h"
#include "fovea/data/lines.h"
#include "fovea/data/tar.h"

namespace fovea {
namespace {

using ReutersTest = FolderTest;
using Lines = std::vector<std::string>;

std::string story(const std::string& split, const std::string& title, const std::string& body) {
  return concat("<REUTERS TOPICS=\"NO\" LEWISSPLIT=\"", split, "\" NEWID=\"1\">\n<UNKNOWN>&#5;RM",
                "</UNKNOWN>\n<TEXT>&#2;\n<TITLE>", title,
                "</TITLE>\n<DATELINE>  ROME - </DATELINE>", "<BODY>", body,
                "\n&#3;</BODY></TEXT>\n</REUTERS>\n");
}

Lines lines_of(const std::filesystem::path& path) {
  LineReader reader(path);
  Lines lines;
  for (std::string line; reader.next(line);) lines.push_back(line);
  return lines;
}

TEST(Reuters, GivesCleanStories) {
  const std::string sgml = concat("<!DOCTYPE lewis SYSTEM \"lewis.dtd\">\n",
                                  story("TRAIN", "ACME &lt;ACM>\nSETS  SPLIT",
                                        "Acme &amp; Co\nsaid\xfc so.\n    Twice.\n REUTER"),
                                  story("TEST", "OLD", "He told Reuters.\n Reuter...^M"),
                                  story("NOT-USED", "UNUSED", "Nobody reads it."),
                                  "<REUTERS LEWISSPLIT=\"TRAIN\"><TEXT TYPE=\"BRIEF\"><TITLE>ONLY "
                                  "THIS</TITLE></TEXT></REUTERS>",
                                  story("TEST", "EMPTY", " REUTER"));
  EXPECT_EQ(reuters_stories(sgml),
            (std::vector<ReutersStory>{
                {Part::train, "acme <acm> sets split", "Acme & Co said so. Twice."},
                {Part::test, "old", "He told Reuters."}}));
  expect_says(message_of([&] { reuters_stories(sgml.substr(0, 200)); }),
              {"story 1 has no end", "</REUTERS>"});
}

TEST(Reuters, CutsWordsAndMarks) {
  EXPECT_EQ(news_words("The U.S.-EC long-term bank's 1.02 mln, at 7-3/4 <ACM.N> AT&T. End."),
            (Lines{"the", "u.s.", "-", "ec", "long-term", "bank", "'s", "1.02", "mln", ",", "at",
                   "7-3/4", "<", "acm.n", ">", "at&t", ".", "end", "."}));
  EXPECT_EQ(news_words(" ' '' .a -"), (Lines{"'", "'", "'", ".", "a", "-"}));
}

TEST_F(ReutersTest, ReadsArchives) {
  const std::string tar = tar_entry("folder", "", '5') + tar_entry("folder/a.txt", "some") +
                          tar_entry("b", std::string(513, 'b')) + std::string(1024, '\0');
  Lines found;
  const TarVisitor visit = [&](const std::string& name, std::string&& bytes) {
    found.push_back(concat(name, ":", bytes.size()));
  };
  read_tar(write("a.tar.gz", gzipped(tar)), visit);
  EXPECT_EQ(found, (Lines{"folder/a.txt:4", "b:513"}));
  expect_says(message_of([&] { read_tar(write("cut.tar", tar.substr(0, 2600)), visit); }),
              {"cut.tar", "b is cut off"});
  std::string damaged = tar;
  damaged[3] = '?';
  expect_says(message_of([&] { read_tar(write("bad.tar", damaged), visit); }),
              {"bad.tar", "is damaged"});
}

/// Forty stories to train, so that the words they all have are the most frequent, and some to test.
class ReutersSetsTest : public FolderTest {
 protected:
  ReutersSetsTest() {
    std::string sgml;
    std::string frequent;  // with "the", "owner" and "buys" the 100 words that are not asked for
    for (int i = 0; i < 97; ++i) {
      frequent += concat(static_cast<char>('a' + i / 26), static_cast<char>('a' + i % 26), "x ");
    }
    for (int i = 0; i < 40; ++i) {
      const std::string name = concat("maker", i, "a");
      sgml +=
          story("TRAIN", concat("THE ", name, " AAX ", i, " BUYS"),
                concat("The ", frequent, " firm", i, " ", name, "'s owner buys ", i, ".\nREUTER"));
    }
    sgml += story("TEST", "Lonely Shop Sells", "The shop sells aax.");
    sgml += story("TEST", "Nothing in common", "Aax aax.");
    sgml += story("TEST", "Sent twice", "The shop sells aax.");
    archive_ = write("reuters21578.tar",
                     tar_entry("x/reut2-000.sgm", sgml) + tar_entry("x/README.txt", "no stories"));
  }

  std::filesystem::path archive_;
};

TEST_F(ReutersSetsTest, PairsBodiesWithHeadlines) {
  extract_reuters_headlines(archive_, folder_ / "out");
  const Lines train = lines_of(folder_ / "out/train.tsv"), dev = lines_of(folder_ / "out/dev.tsv");
  EXPECT_EQ(train.size() + dev.size(), 40);
  EXPECT_GT(dev.size(), 0);
  EXPECT_LT(dev.size(), 10);
  EXPECT_TRUE(train[0].ends_with(" firm0 maker0a's owner buys 0.\tthe maker0a aax 0 buys"));
  EXPECT_EQ(lines_of(folder_ / "out/test.tsv"), Lines{"The shop sells aax.\tlonely shop sells"});
}

TEST_F(ReutersSetsTest, BlanksWordsOfTheTitleThatStandInTheBody) {
  extract_reuters_cloze(archive_, folder_ / "out");
  const Lines train = lines_of(folder_ / "out/train.tsv"), dev = lines_of(folder_ / "out/dev.tsv");
  // "the", "aax" and "buys" are frequent and a number is no word: the name is left.
  for (const Lines& lines : {train, dev}) {
    for (const std::string& line : lines) {
      const std::size_t tab = line.find('\t'), last = line.rfind('\t');
      const std::string document = concat(" ", line.substr(0, tab), " "),
                        answer = line.substr(last + 1);
      const std::string question = line.substr(tab + 1, last - tab - 1);
      EXPECT_NE(document.find(" " + answer + " "), std::string::npos) << line;
      EXPECT_NE(question.find("@placeholder"), std::string::npos) << question;
      EXPECT_EQ(question.find(answer), std::string::npos) << question;
      EXPECT_TRUE(answer.starts_with("maker")) << answer;
      EXPECT_TRUE(question.starts_with("the @placeholder aax ")) << question;
    }
  }
  const Lines test = lines_of(folder_ / "out/test.tsv");
  ASSERT_EQ(test.size(), 1);
  EXPECT_TRUE(test[0] == "the shop sells aax .\tlonely @placeholder sells\tshop" ||
              test[0] == "the shop sells aax .\tlonely shop @placeholder\tsells")
      << test[0];
  extract_reuters_cloze(archive_, folder_ / "again");
  EXPECT_EQ(lines_of(folder_ / "again/test.tsv"), test);
}

TEST_F(ReutersTest, RefusesArchivesWithoutStories) {
  expect_says(message_of([&] { read_reuters(write("a.tar", tar_entry("a", "b"))); }),
              {"a.tar", "no stories", "*.sgm"});
}

}  // namespace
}  // namespace fovea
