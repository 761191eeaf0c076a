#include "fovea/inspect/run_tiles.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/error_testing.h"
#include "fovea/inspect/run_testing.h"

namespace fovea {
namespace {

constexpr const char* kCross = "decoder.3.cross";

std::vector<unsigned> numbers(const std::string& bytes) {
  std::vector<unsigned> out;
  for (std::size_t i = 0; i < bytes.size(); i += 2) {
    out.push_back(static_cast<unsigned char>(bytes[i]) +
                  256U * static_cast<unsigned char>(bytes[i + 1]));
  }
  return out;
}

HeadChoice head(Dim number) { return {HeadChoice::Kind::one, number}; }

TEST(RunTiles, AreThePartThatWasAskedFor) {
  const RunRecord run = sample_run();
  const AttentionMap one = map_of(run, kCross, 1), mean = map_of(run, kCross);
  const auto cut =
      numbers(tile(run, {.layer = kCross, .head = head(1), .q0 = 1, .q1 = 3, .k0 = 2, .k1 = 4}));
  ASSERT_EQ(cut.size(), 4U);
  for (Dim q = 0; q < 2; ++q) {
    for (Dim k = 0; k < 2; ++k) {
      EXPECT_EQ(cut[static_cast<std::size_t>(q * 2 + k)],
                std::lround(65535 * one.weight(q + 1, k + 2)));
    }
  }
  const auto means = numbers(tile(run, {.layer = kCross, .q0 = 0, .q1 = 1, .k0 = 0, .k1 = 4}));
  EXPECT_EQ(means[3], std::lround(65535 * mean.weight(0, 3)));
  const auto all = numbers(tile(
      run, {.layer = kCross, .head = {HeadChoice::Kind::all}, .q0 = 0, .q1 = 3, .k0 = 0, .k1 = 4}));
  ASSERT_EQ(all.size(), 2U * 3 * 4);
  EXPECT_EQ(all[12 + 1 * 4 + 2], std::lround(65535 * one.weight(1, 2)));
}

TEST(RunTiles, ShrinkToTheLargestOfEachBlock) {
  const RunRecord run = sample_run();
  const AttentionMap one = map_of(run, kCross, 0);
  const auto small = numbers(
      tile(run, {.layer = kCross, .head = head(0), .q0 = 0, .q1 = 3, .k0 = 1, .k1 = 4, .step = 2}));
  ASSERT_EQ(small.size(), 4U);  // blocks of 2 x 2, 2 x 1, 1 x 2, 1 x 1
  const float first =
      std::max({one.weight(0, 1), one.weight(0, 2), one.weight(1, 1), one.weight(1, 2)});
  EXPECT_EQ(small[0], std::lround(65535 * first));
  EXPECT_EQ(small[1], std::lround(65535 * std::max(one.weight(0, 3), one.weight(1, 3))));
  EXPECT_EQ(small[3], std::lround(65535 * one.weight(2, 3)));
}

TEST(RunTiles, OfTheTopAreZeroElsewhere) {
  const RunRecord run = sample_run({.keep = Keep::top, .top = 1});
  const AttentionMap kept = map_of(run, kCross, 0);
  const auto all =
      numbers(tile(run, {.layer = kCross, .head = head(0), .q0 = 0, .q1 = 3, .k0 = 0, .k1 = 4}));
  Dim some = 0;
  for (Dim i = 0; i < 12; ++i) {
    EXPECT_EQ(all[static_cast<std::size_t>(i)], std::lround(65535 * kept.weight(i / 4, i % 4)));
    some += all[static_cast<std::size_t>(i)] != 0;
  }
  EXPECT_EQ(some, 3);
}

TEST(RunTiles, RefuseWhatIsNotThere) {
  const RunRecord run = sample_run();
  const TileRequest good{.layer = kCross, .q0 = 0, .q1 = 3, .k0 = 0, .k1 = 4};
  EXPECT_EQ(tile(run, good).size(), 24U);
  for (const auto& change : std::vector<std::function<void(TileRequest&)>>{
           [](TileRequest& r) { r.layer = "nobody"; }, [](TileRequest& r) { r.head = head(2); },
           [](TileRequest& r) { r.q0 = -1; }, [](TileRequest& r) { r.q0 = 3; },
           [](TileRequest& r) { r.q1 = 4; }, [](TileRequest& r) { r.k1 = 5; },
           [](TileRequest& r) { r.k1 = 0; }, [](TileRequest& r) { r.step = 0; },
           [](TileRequest& r) { r.step = 3; }, [](TileRequest& r) { r.step = 8192; },
           [](TileRequest& r) { r.layer = "rollout:decoder.3.cross"; },
           [](TileRequest& r) {
             r.layer = "rollout:decoder.0.self", r.k1 = 3, r.head = {HeadChoice::Kind::all};
           }}) {
    TileRequest bad = good;
    change(bad);
    EXPECT_THROW(tile(run, bad), Error);
  }
  RunRecord large{.sequences = {{"long", std::vector<std::string>(2000, "x")}}};
  large.layers.push_back({.name = "self",
                          .queries = "long",
                          .keys = "long",
                          .heads = {0},
                          .keep = Keep::top,
                          .top = 1,
                          .rows = 2000,
                          .cols = 2000,
                          .weights = std::vector<float>(2000, 1),
                          .top_keys = std::vector<std::int32_t>(2000, 7)});
  TileRequest whole{.layer = "self", .head = head(0), .q0 = 0, .q1 = 2000, .k0 = 0, .k1 = 2000};
  EXPECT_EQ(kind_thrown_by([&] { tile(large, whole); }), ErrorKind::too_large);
  whole.step = 2;
  EXPECT_EQ(tile(large, whole).size(), 2U * 1000 * 1000);
}

TEST(RunTiles, HeadsAreReadFromText) {
  EXPECT_EQ(HeadChoice::parse("mean").kind, HeadChoice::Kind::mean);
  EXPECT_EQ(HeadChoice::parse("all").kind, HeadChoice::Kind::all);
  EXPECT_EQ(HeadChoice::parse("12").number, 12);
  for (const char* bad : {"", "-1", "1x", "first", "99999999999999999999"}) {
    EXPECT_THROW(HeadChoice::parse(bad), Error) << bad;
  }
}

TEST(RunTiles, SumUpWhatKeysReceived) {
  const RunRecord run = sample_run();
  const AttentionMap one = map_of(run, kCross, 1);
  const std::vector<float> sums = received(run, kCross, head(1));
  ASSERT_EQ(sums.size(), 4U);
  for (Dim k = 0; k < 4; ++k) {
    EXPECT_NEAR(sums[static_cast<std::size_t>(k)],
                one.weight(0, k) + one.weight(1, k) + one.weight(2, k), 1e-6);
  }
  EXPECT_THROW(received(run, kCross, {HeadChoice::Kind::all}), Error);
}

TEST(RunTiles, MeasureEntropyAndDistance) {
  const RunRecord run = sample_run();
  const std::vector<LayerMeasures> found = measures(run);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_TRUE(found[2].distance.empty()) << "another sequence is no distance away";
  const AttentionMap map = map_of(run, "decoder.1.self", 1);
  double entropy = 0, distance = 0;
  for (Dim q = 0; q < 3; ++q) {
    for (Dim k = 0; k < 3; ++k) {
      const double p = map.weight(q, k);
      entropy -= p * std::log2(p) / 3;
      distance += p * static_cast<double>(std::abs(q - k)) / 3;
    }
  }
  EXPECT_NEAR(found[1].entropy[1], entropy, 1e-5);
  EXPECT_NEAR(found[1].distance[1], distance, 1e-5);
}

TEST(RunTiles, RollOut) {
  const RunRecord run = sample_run();
  // R = A_1 A_0, straightforwardly.
  std::vector<std::vector<double>> result = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const char* layer : {"decoder.0.self", "decoder.1.self"}) {
    const AttentionMap mean = map_of(run, layer);
    auto next = result;
    for (Dim i = 0; i < 3; ++i) {
      for (Dim j = 0; j < 3; ++j) {
        double sum = 0;
        for (Dim k = 0; k < 3; ++k) {
          const double a = (mean.weight(i, k) + (i == k)) / 2;
          sum += a * result[static_cast<std::size_t>(k)][static_cast<std::size_t>(j)];
        }
        next[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = sum;
      }
    }
    result = next;
  }
  const std::vector<float> rows = rollout(run, "decoder.1.self", 1, 3);
  ASSERT_EQ(rows.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(rows[i], result[1 + i / 3][i % 3], 1e-5);
  const auto cut =
      numbers(tile(run, {.layer = "rollout:decoder.1.self", .q0 = 2, .q1 = 3, .k0 = 1, .k1 = 3}));
  EXPECT_EQ(cut[1], std::lround(65535 * rows[5]));
  EXPECT_NEAR(received(run, "rollout:decoder.1.self", {})[0],
              result[0][0] + result[1][0] + result[2][0], 1e-5);
}

}  // namespace
}  // namespace fovea
