#include "fovea/data/batches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>

#include "fovea/base/rng.h"
#include "fovea/data/data_testing.h"

namespace fovea {
namespace {

using Lengths = std::vector<std::int32_t>;

Lengths random_lengths(std::size_t count, std::uint32_t longest) {
  const Draws draws{.seed = 3, .site = 0};
  Lengths lengths(count);
  for (std::size_t i = 0; i < count; ++i) {
    lengths[i] = static_cast<std::int32_t>(draws.below(i, longest + 1));
  }
  return lengths;
}

std::vector<std::vector<std::uint32_t>> all(const Batches& batches) {
  std::vector<std::vector<std::uint32_t>> rows;
  for (Dim i = 0; i < batches.size(); ++i) rows.emplace_back(batches[i].begin(), batches[i].end());
  return rows;
}

Dim rows_of(std::span<const std::uint32_t> batch, const Lengths& lengths) {
  return std::accumulate(batch.begin(), batch.end(), Dim{0},
                         [&](Dim sum, std::uint32_t i) { return sum + lengths[i]; });
}

void expect_once_and_within_limits(const Batches& batches, const Lengths& lengths,
                                   const BatchConfig& config) {
  std::vector<int> seen(lengths.size());
  for (Dim i = 0; i < batches.size(); ++i) {
    const auto batch = batches[i];
    ASSERT_FALSE(batch.empty());
    for (const std::uint32_t example : batch) ++seen[example];
    EXPECT_TRUE(batch.size() == 1 || rows_of(batch, lengths) <= config.rows);
    EXPECT_TRUE(config.sequences == 0 || static_cast<Dim>(batch.size()) <= config.sequences);
    EXPECT_TRUE(std::is_sorted(batch.begin(), batch.end(),
                               [&](auto a, auto b) { return lengths[a] < lengths[b]; }));
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(seen.size()));
}

TEST(Batches, HoldEachExampleOnceWithinTheLimits) {
  for (const std::size_t count : {0, 1, 2, 17, 5000}) {
    const Lengths lengths = random_lengths(count, 60);
    for (const BatchConfig& config :
         {BatchConfig{.rows = 500}, BatchConfig{.rows = 500, .sequences = 8, .pool = 3},
          BatchConfig{.rows = 1}, BatchConfig{.rows = 50, .pool = 1},
          BatchConfig{.rows = std::numeric_limits<Dim>::max(), .sequences = 8}}) {
      expect_once_and_within_limits(Batches(lengths, config, 0), lengths, config);
      expect_once_and_within_limits(Batches::unshuffled(lengths, config), lengths, config);
    }
  }
}

TEST(Batches, DependOnSeedAndEpochAlone) {
  const Lengths lengths = random_lengths(3000, 60);
  const BatchConfig config{.rows = 500, .seed = 5};
  EXPECT_EQ(all(Batches(lengths, config, 2)), all(Batches(lengths, config, 2)));
  EXPECT_NE(all(Batches(lengths, config, 2)), all(Batches(lengths, config, 3)));
  EXPECT_NE(all(Batches(lengths, config, 2)), all(Batches(lengths, {.rows = 500, .seed = 6}, 2)));
}

TEST(Batches, AreNearlyFullAndOfLikeLengths) {
  const Lengths lengths = random_lengths(50000, 60);
  const Batches batches(lengths, {.rows = 1000}, 0);
  const Dim total = std::accumulate(lengths.begin(), lengths.end(), Dim{0});
  EXPECT_LT(batches.size(), total / 1000 * 1.05);
  Dim spread = 0;
  for (Dim i = 0; i < batches.size(); ++i) {
    spread += lengths[batches[i].back()] - lengths[batches[i].front()];
  }
  EXPECT_LT(spread, 3 * batches.size());
}

TEST(Batches, MeetShortAndLongInAnyOrder) {
  const Lengths lengths = random_lengths(50000, 60);
  const Batches batches(lengths, {.rows = 1000}, 0);
  double first_half = 0;
  for (Dim i = 0; i < batches.size() / 2; ++i) {
    first_half += static_cast<double>(batches[i].size());
  }
  EXPECT_NEAR(first_half / 50000, 0.5, 0.05);
}

TEST(Batches, UnshuffledGoFromShortToLong) {
  EXPECT_EQ(all(Batches::unshuffled(Lengths{3, 1, 2, 1, 9}, {.rows = 4})),
            (std::vector<std::vector<std::uint32_t>>{{1, 3, 2}, {0}, {4}}));
}

TEST(Batches, AMillionExamplesTakeNoTime) {
  const Lengths lengths = random_lengths(1000000, 200);
  const auto begin = std::chrono::steady_clock::now();
  const Batches batches(lengths, {}, 1);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  RecordProperty("seconds", concat(took.count()));
  EXPECT_LT(took.count(), 5) << "far below on an idle machine";
  EXPECT_GT(batches.size(), 20000);
}

TEST(Batches, WithoutALimitAreOne) {
  const BatchConfig config{.rows = std::numeric_limits<Dim>::max()};
  EXPECT_EQ(Batches(random_lengths(100, 60), config, 0).size(), 1);
}

TEST(Batches, RefuseWhatMakesNoSense) {
  EXPECT_THROW(Batches(Lengths{1}, {.rows = 0}, 0), Error);
  EXPECT_THROW(Batches(Lengths{1}, {.sequences = -1}, 0), Error);
  EXPECT_THROW(Batches(Lengths{1}, {.pool = 0}, 0), Error);
  expect_says(message_of([] { Batches(Lengths{1, -2}, {}, 0); }), {"example 1 has -2 rows"});
}

}  // namespace
}  // namespace fovea
