#include "fovea/data/stretches.h"

#include <gtest/gtest.h>

#include "fovea/base/check.h"

namespace fovea {
namespace {

std::vector<Stretch> all_of(const Stretches& stretches) {
  std::vector<Stretch> all;
  for (Dim b = 0; b < stretches.size(); ++b) {
    all.insert(all.end(), stretches[b].begin(), stretches[b].end());
  }
  return all;
}

/// How often each place of a text is predicted: place i after id i.
std::vector<Dim> predicted(Dim ids, const Stretches& stretches) {
  std::vector<Dim> times(static_cast<std::size_t>(ids - 1), 0);
  for (const Stretch& stretch : all_of(stretches)) {
    for (Dim i = stretch.known; i < stretch.length; ++i) {
      ++times.at(static_cast<std::size_t>(stretch.begin + i));
    }
  }
  return times;
}

TEST(Stretches, ShuffledOnesCoverTheTextButForItsEdges) {
  const StretchConfig config = {.context = 7, .sequences = 3};
  for (Dim epoch = 0; epoch < 5; ++epoch) {
    const Stretches stretches = Stretches::shuffled(200, config, epoch);
    Dim covered = 0;
    for (const Dim times : predicted(200, stretches)) {
      EXPECT_LE(times, 1);
      covered += times;
    }
    EXPECT_GT(covered, 199 - 14);
    for (const Stretch& stretch : all_of(stretches)) EXPECT_EQ(stretch.length, 7);
    for (Dim b = 0; b + 1 < stretches.size(); ++b) EXPECT_EQ(stretches[b].size(), 3U);
  }
  EXPECT_EQ(all_of(Stretches::shuffled(200, config, 3)),
            all_of(Stretches::shuffled(200, config, 3)));
  EXPECT_NE(all_of(Stretches::shuffled(200, config, 3)),
            all_of(Stretches::shuffled(200, config, 4)));
}

TEST(Stretches, EpochsCutTheTextElsewhere) {
  const StretchConfig config = {.context = 7, .sequences = 3};
  std::vector<bool> cut(7);
  for (Dim epoch = 0; epoch < 60; ++epoch) {
    cut[static_cast<std::size_t>(Stretches::shuffled(200, config, epoch)[0][0].begin % 7)] = true;
  }
  EXPECT_EQ(cut, std::vector<bool>(7, true));
}

TEST(Stretches, StreamsGoOnWhereTheyWere) {
  const StretchConfig config = {.context = 5, .sequences = 4};
  for (Dim epoch = 0; epoch < 5; ++epoch) {
    const Stretches stretches = Stretches::streams(103, config, epoch);
    for (Dim b = 0; b + 1 < stretches.size(); ++b) {
      ASSERT_EQ(stretches[b].size(), 4U);
      for (std::size_t s = 0; s < 4; ++s) {
        EXPECT_EQ(stretches[b][s].begin + stretches[b][s].length, stretches[b + 1][s].begin);
      }
    }
    const auto times = predicted(103, stretches);
    const Dim first = stretches[0][0].begin;
    for (Dim i = 0; i < 102; ++i) EXPECT_EQ(times[static_cast<std::size_t>(i)], i < first ? 0 : 1);
  }
}

TEST(Stretches, TheWholeTextIsPredictedOnce) {
  for (Dim ids = 2; ids < 40; ++ids) {
    const std::vector<Dim> once(static_cast<std::size_t>(ids - 1), 1);
    for (const Dim count : {1, 3, 20}) {
      const Stretches streams = Stretches::streams(ids, count, 4);
      EXPECT_EQ(predicted(ids, streams), once) << ids << " in " << count;
      for (const Stretch& stretch : all_of(streams)) EXPECT_GE(stretch.length, 1);
    }
    for (const Dim stride : {1, 2, 5, 6}) {
      EXPECT_EQ(predicted(ids, Stretches::sliding(ids, 6, stride, 3)), once)
          << ids << " by " << stride;
    }
  }
  const std::vector<Stretch> slid = {{0, 6, 0}, {2, 6, 4}, {4, 6, 4}, {6, 5, 4}};
  EXPECT_EQ(all_of(Stretches::sliding(12, 6, 2, 3)), slid);
}

TEST(Stretches, ShortTextsAndNonsense) {
  EXPECT_EQ(predicted(2, Stretches::shuffled(2, {}, 0)), std::vector<Dim>{1});
  EXPECT_THROW(Stretches::shuffled(1, {}, 0), Error);
  EXPECT_THROW(Stretches::shuffled(9, {.context = 0}, 0), Error);
  EXPECT_THROW(Stretches::streams(9, StretchConfig{.sequences = 20}, 0), Error);
  EXPECT_THROW(Stretches::sliding(9, 4, 5, 1), Error);
}

}  // namespace
}  // namespace fovea
