#include "fovea/decode/constraints.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fovea {
namespace {

/// The ids of a vocabulary of 6 that may not follow `written`; the end is 0.
Ids forbidden(const DecodeConfig& config, const Ids& written, const Ids& suppressed = {}) {
  std::vector<float> logits(6, 1.0F);
  Constraints(0, config, suppressed).apply(written, logits.data());
  Ids result;
  for (std::int32_t id = 0; id < 6; ++id) {
    if (std::isinf(logits[static_cast<std::size_t>(id)])) result.push_back(id);
  }
  return result;
}

TEST(Constraints, ForbidWhatTheySay) {
  EXPECT_EQ(forbidden({}, {2, 3, 2}), Ids{});
  EXPECT_EQ(forbidden({}, {}, {5, 1}), (Ids{1, 5}));
  EXPECT_EQ(forbidden({.min_length = 2}, {4}), Ids{0});
  EXPECT_EQ(forbidden({.min_length = 2}, {4, 4}), Ids{});
}

TEST(Constraints, NoRepeat) {
  EXPECT_EQ(forbidden({.no_repeat = 1}, {4, 2}), (Ids{2, 4}));
  EXPECT_EQ(forbidden({.no_repeat = 2}, {2, 3, 2}), Ids{3});
  EXPECT_EQ(forbidden({.no_repeat = 2}, {2, 3, 2, 5, 2}), (Ids{3, 5}));
  EXPECT_EQ(forbidden({.no_repeat = 2}, {2, 2}), Ids{2});  // one may overlap itself
  EXPECT_EQ(forbidden({.no_repeat = 3}, {1, 2, 3, 1, 2}), Ids{3});
  EXPECT_EQ(forbidden({.no_repeat = 3}, {1, 2, 3, 2}), Ids{});
  EXPECT_EQ(forbidden({.no_repeat = 3}, {1, 2}), Ids{});
  EXPECT_EQ(forbidden({.no_repeat = 2}, {}), Ids{});
}

TEST(Constraints, KnowTheVocabulary) {
  EXPECT_NO_THROW(Constraints(5, {}, Ids{0}).check(6));
  EXPECT_THROW(Constraints(6, {}, Ids{}).check(6), Error);
  EXPECT_THROW(Constraints(-2, {}, Ids{}).check(6), Error);
  EXPECT_NO_THROW(Constraints(no_end, {}, Ids{}).check(6));
  EXPECT_THROW(Constraints(0, {}, Ids{6}).check(6), Error);
}

}  // namespace
}  // namespace fovea
