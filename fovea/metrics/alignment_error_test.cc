#include "fovea/metrics/alignment_error.h"

#include <gtest/gtest.h>

#include "fovea/base/check.h"

namespace fovea {
namespace {

using Links = std::vector<Link>;

TEST(Alignment, ReadsAndWritesPharaoh) {
  EXPECT_EQ(parse_links(" 0-0 1-2\t10-3\n"), (Links{{0, 0}, {1, 2}, {10, 3}}));
  EXPECT_EQ(parse_links(""), Links{});
  EXPECT_EQ(pharaoh({{0, 0}, {10, 3}}), "0-0 10-3");
  EXPECT_EQ(pharaoh({}), "");
  const GoldLinks gold = parse_gold_links("0-0 1?2 1p3");
  EXPECT_EQ(gold.sure, (Links{{0, 0}}));
  EXPECT_EQ(gold.possible, (Links{{1, 2}, {1, 3}}));
}

TEST(Alignment, RefusesWhatIsNoLink) {
  for (const char* bad :
       {"0", "0-", "-1", "0--1", "a-b", "0-1x", "0_1", "99999999999999999999-0"}) {
    EXPECT_THROW(parse_gold_links(bad), Error) << bad;
  }
  EXPECT_THROW(parse_links("0?1"), Error);
}

TEST(AlignmentErrors, FollowOchAndNey) {
  AlignmentErrors errors;
  errors.add({{0, 0}, {1, 1}, {2, 2}, {2, 2}}, parse_gold_links("0-0 3-3 1?1"));
  // A = 3 links, S = 2; of A one is sure, two are possible.
  EXPECT_DOUBLE_EQ(errors.rate(), 1 - (1.0 + 2) / (3 + 2));
  EXPECT_DOUBLE_EQ(errors.precision(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(errors.recall(), 1.0 / 2);
  errors.add({{0, 0}}, parse_gold_links("0-0"));
  EXPECT_DOUBLE_EQ(errors.rate(), 1 - (2.0 + 3) / (4 + 3));
}

// All sure links and only possible ones: no error, however few of the possible were found.
TEST(AlignmentErrors, AreNoneForLinksThatPeopleAllow) {
  AlignmentErrors errors;
  EXPECT_EQ(errors.rate(), 0);
  errors.add({{0, 0}, {1, 1}}, parse_gold_links("0-0 1?1 1?2"));
  EXPECT_EQ(errors.rate(), 0);
}

}  // namespace
}  // namespace fovea
