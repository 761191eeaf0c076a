#include "fovea/data/csv.h"

#include "fovea/data/data_testing.h"

namespace fovea {
namespace {

using Fields = std::vector<std::string>;

TEST(Csv, ReadsQuotesCommasAndLineEnds) {
  CsvReader reader("id,text\r\n1,\"a, \"\"b\"\"\nc\"\r\n2,\n3,d", "t.csv");
  EXPECT_EQ(reader.column("text"), 1U);
  Fields fields;
  ASSERT_TRUE(reader.next(fields));
  EXPECT_EQ(fields, (Fields{"1", "a, \"b\"\nc"}));
  EXPECT_EQ(reader.where(), "t.csv:2");
  ASSERT_TRUE(reader.next(fields));
  EXPECT_EQ(fields, (Fields{"2", ""}));
  EXPECT_EQ(reader.where(), "t.csv:4");
  ASSERT_TRUE(reader.next(fields));
  EXPECT_EQ(fields, (Fields{"3", "d"}));
  EXPECT_FALSE(reader.next(fields));
}

TEST(Csv, NamesWhatIsWrong) {
  Fields fields;
  expect_says(message_of([] { CsvReader("", "t.csv"); }), {"t.csv", "names the columns"});
  expect_says(message_of([&] { CsvReader("a,b\n1,2\n1,2,3\n", "t.csv").column("c"); }),
              {"no column called c"});
  CsvReader reader("a,b\n1,2\n1,2,3\n", "t.csv");
  EXPECT_TRUE(reader.next(fields));
  expect_says(message_of([&] { reader.next(fields); }),
              {"t.csv:3", "expected 2 fields", "found 3"});
  CsvReader open("a\n\"1\n2", "t.csv");
  expect_says(message_of([&] { open.next(fields); }), {"t.csv:2", "not closed"});
}

}  // namespace
}  // namespace fovea
