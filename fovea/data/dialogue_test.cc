#include "fovea/data/data_testing.h"
#include "fovea/data/extract_chnsenticorp.h"
#include "fovea/data/extract_dialogue.h"
#include "fovea/data/extract_subjqa.h"
#include "fovea/data/zip.h"

namespace fovea {
namespace {

using ZipTest = FolderTest;

TEST_F(ZipTest, UnpacksAFileAndKnowsDamage) {
  const std::string text(100'000, 'x'), zip = zipped("in/a.txt", text);
  EXPECT_EQ(read_zip(write("a.zip", zip), "in/a.txt"), text);
  expect_says(message_of([&] { read_zip(folder_ / "a.zip", "b.txt"); }), {"a.zip", "b.txt"});
  expect_says(message_of([&] { read_zip(folder_ / "none.zip", "b.txt"); }), {"none.zip"});
  for (std::size_t cut = 0; cut < zip.size(); cut += 7) {
    if (cut + 22 <= zip.size()) {  // without the directory's end
      EXPECT_THROW(read_zip(write("cut.zip", zip.substr(0, cut)), "in/a.txt"), Error) << cut;
    }
    std::string changed = zip;
    changed[cut] ^= 0x15;
    try {  // either found to be damaged or of no importance
      EXPECT_EQ(read_zip(write("changed.zip", changed), "in/a.txt"), text) << cut;
    } catch (const Error&) {
    }
  }
}

TEST(Dialogue, TurnsEndWithTheirMark) {
  EXPECT_EQ(turns_of(" Hello .  __eou__ Who is it ? __eou__ "),
            (std::vector<std::string>{"Hello .", "Who is it ?"}));
  EXPECT_EQ(turns_of("no mark"), (std::vector<std::string>{"no mark"}));
  EXPECT_TRUE(turns_of("").empty());
}

TEST_F(ZipTest, RepliesFollowTheirContext) {
  write("train.zip", zipped("train/dialogues_train.txt",
                            "1 __eou__ 2 __eou__ 3 __eou__ 4 __eou__ 5 __eou__\n"
                            "alone __eou__\na __eou__ b __eou__\n"));
  write("validation.zip", zipped("validation/dialogues_validation.txt", "a __eou__ b __eou__"));
  write("test.zip", zipped("test/dialogues_test.txt", "c __eou__ d __eou__\n"));
  extract_dialogue(folder_ / "train.zip", folder_ / "out");
  EXPECT_EQ(bytes_of(folder_ / "out/train.tsv"),
            "1\t2\n1 <turn> 2\t3\n1 <turn> 2 <turn> 3\t4\n2 <turn> 3 <turn> 4\t5\n");
  EXPECT_EQ(bytes_of(folder_ / "out/dev.tsv"), "a\tb\n");
  EXPECT_EQ(bytes_of(folder_ / "out/test.tsv"), "c\td\n");
}

TEST_F(ZipTest, ReviewsLoseTheNamesOfTheirColumns) {
  const auto says = [&](const std::string& table, std::initializer_list<std::string_view> parts) {
    write("c.zip", zipped("train.tsv", table));
    expect_says(message_of([&] { extract_chnsenticorp(folder_ / "c.zip", folder_ / "out"); }),
                parts);
  };
  says("label\ttext_a\n1\t\u597d\n", {"c.zip", "dev.tsv"});  // the archive has no more
  EXPECT_EQ(bytes_of(folder_ / "out/train.tsv"), "1\t\u597d\n");
  says("1\t\u597d\n", {"train.tsv", "label\ttext_a"});
}

TEST_F(ZipTest, SubjqaJoinsWhatPeopleMarked) {
  const std::string head = "q_review_id,question,review,human_ans_indices\n";
  const std::string train = head +
                            "1,How?,\"It is süß,\n really. ANSWERNOTFOUND\",\"(6, 9)\"\n"
                            "2,Why?,No. ANSWERNOTFOUND,\"(4, 18)\"\n"
                            "1,How?,\"It is süß,\n really. ANSWERNOTFOUND\",\"(12, 18)\"\n"
                            "1,How?,\"It is süß,\n really. ANSWERNOTFOUND\",\"(20, 34)\"\n";
  const auto archive = [&](const std::string& table) {
    return write("s.tar", tar_entry("S/food/train.csv", table) + tar_entry("S/food/dev.csv", head) +
                              std::string(1024, '\0'));
  };
  extract_subjqa(archive(train), folder_ / "out");
  EXPECT_EQ(bytes_of(folder_ / "out/train.tsv"),
            "How?\tIt is süß,  really.\t6-9 12-18\nWhy?\tNo.\tnone\n");
  EXPECT_EQ(bytes_of(folder_ / "out/dev.tsv"), "");
  for (const char* range : {"(1 2)", "\"(2, 1)\"", "\"(0, 40)\"", "nothing"}) {
    const std::string bad = concat(head, "1,How?,No. ANSWERNOTFOUND,", range, "\n");
    expect_says(message_of([&] { extract_subjqa(archive(bad), folder_ / "out"); }),
                {"S/food/train.csv:2"});
  }
  expect_says(message_of([&] {
                extract_subjqa(archive(head + "1,How?,No.,\"(0, 2)\"\n"), folder_ / "out");
              }),
              {"S/food/train.csv:2", "ANSWERNOTFOUND"});
}

}  // namespace
}  // namespace fovea
