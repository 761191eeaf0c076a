#include "fovea/inspect/run_record.h"

#include <gtest/gtest.h>

#include "fovea/inspect/run_testing.h"

namespace fovea {
namespace {

using Names = std::vector<std::string>;

RunRecord named() {
  return {.sequences = {{"source", {"a", "b", "c", "d"}}, {"target", {"x", "y", "z"}}}};
}

TEST(RunRecord, KeepsWhatAProbeSaw) {
  const Probe probe = probe_of({});
  RunRecord run = named();
  run.add(probe.records()[0], 1, "target", "source");
  const AttentionMap map = map_of(run, "decoder.3.cross", 1);
  EXPECT_EQ(map.title, "decoder.3.cross head 1");
  EXPECT_EQ(map.queries, (Names{"x", "y", "z"}));
  EXPECT_EQ(map.keys, (Names{"a", "b", "c", "d"}));
  EXPECT_TRUE(identical(map.weights, probe.records()[0].matrix(1, 1).to(DType::f32)));
  EXPECT_EQ(run.bytes(), 2U * 3 * 4 * sizeof(float));
  EXPECT_EQ(maps_of(run).size(), 2U);

  const AttentionMap mean = map_of(run, "decoder.3.cross");
  const Tensor other = probe.records()[0].matrix(1, 0).to(DType::f32);
  EXPECT_NEAR(mean.weight(2, 3), (map.weight(2, 3) + other.view<float>()[2][3]) / 2, 1e-6);
}

TEST(RunRecord, KeepsTheTopAsTheKernelFoundIt) {
  const RunRecord all = sample_run(), top = sample_run({.keep = Keep::top, .top = 2});
  const RunRecord::Layer& layer = top.layer("decoder.3.cross");
  EXPECT_EQ(layer.kept(), "top-2");
  EXPECT_EQ(all.layer("decoder.3.cross").kept(), "all");
  EXPECT_EQ(layer.weights.size(), 2U * 3 * 2);
  const AttentionMap whole = map_of(all, layer.name, 0), largest = map_of(top, layer.name, 0);
  for (Dim q = 0; q < 3; ++q) {
    std::vector<float> row(whole.weights.view<float>()[q], whole.weights.view<float>()[q] + 4);
    std::sort(row.rbegin(), row.rend());
    for (Dim k = 0; k < 4; ++k) {
      const float weight = whole.weight(q, k);
      EXPECT_EQ(largest.weight(q, k), weight >= row[1] ? weight : 0);
    }
  }
}

TEST(RunRecord, PlacesAreOfTokensAndMediaThatExist) {
  RunRecord run = image_run();
  const std::vector<RunRecord::Box> two(2);
  EXPECT_NO_THROW(run.add(RunRecord::Places{"patches", "image", 5, two}));
  EXPECT_THROW(run.add(RunRecord::Places{"patches", "image", 6, two}), Error);
  EXPECT_THROW(run.add(RunRecord::Places{"patches", "image", -1, two}), Error);
  EXPECT_THROW(run.add(RunRecord::Places{"words", "image", 0, two}), Error);
  EXPECT_THROW(run.add(RunRecord::Places{"patches", "sound", 0, two}), Error);
  EXPECT_THROW(run.add(RunRecord::Places{"patches", "image", 0, RunRecord::Grid{0, 3}}), Error);
  const std::vector<RunRecord::Span> seconds = {{0, 0.5}, {0.5, 1.25}};
  EXPECT_EQ((RunRecord::Places{"", "", 0, seconds}.count()), 2);
}

TEST(RunRecord, CountsTheBytesOfItsMedia) {
  RunRecord run = image_run();
  const std::size_t with = run.bytes();
  run.media.clear();
  EXPECT_EQ(with - run.bytes(), 24U);
}

TEST(RunRecord, RowsThatWereNotAskedForAreZero) {
  RunRecord run = named();
  run.add(probe_of({.heads = {1}, .first_query = -1}).records()[0], 1, "target", "source");
  EXPECT_EQ(run.layers[0].heads, std::vector<Dim>{1});
  const AttentionMap map = map_of(run, "decoder.3.cross", 1);
  EXPECT_EQ(map.weight(1, 0), 0);
  EXPECT_GT(map.weight(2, 0), 0);
  EXPECT_THROW(map_of(run, "decoder.3.cross", 0), Error) << "a head that was not kept";
  EXPECT_THROW(map_of(run, "decoder.2.cross"), Error);
}

TEST(RunRecord, RefusesWhatDoesNotFit) {
  RunRecord run = named();
  const Probe probe = probe_of({});
  EXPECT_THROW(run.add(probe.records()[0], 0, "target", "source"), Error) << "another sequence";
  EXPECT_THROW(run.add(probe.records()[0], 2, "target", "source"), Error);
  EXPECT_THROW(run.add(probe.records()[0], 1, "target", "nobody"), Error);
  const Probe sums = probe_of({.keep = Keep::received});
  EXPECT_THROW(run.add(sums.records()[0], 1, "target", "source"), Error);
}

TEST(RunRecord, ShowsFirstWhatWasKept) {
  RunRecord run = sample_run({.heads = {1}});
  run.align("decoder.3.cross", 1);
  EXPECT_EQ(run.alignment->head, 1);
  EXPECT_EQ(alignment_map(run).title, "decoder.3.cross head 1");
  run.align("decoder.3.cross", 0);
  EXPECT_EQ(run.alignment->head, -1) << "head 0 was not kept: the mean of those that were";
  run.alignment.reset();
  run.align("decoder.9.cross");
  EXPECT_FALSE(run.alignment);
  EXPECT_THROW(alignment_map(run), Error);
}

TEST(RunRecord, ShadesItsTokens) {
  const RunRecord run = sample_run();
  const AttentionMap mean = map_of(run, "decoder.3.cross");
  const DocumentHeat heat = shaded_by(run, "decoder.3.cross", "title", 1, 3);
  EXPECT_EQ(heat.sentences[0].words, (Names{"a", "b", "c", "d"}));
  for (Dim k = 0; k < 4; ++k) {
    EXPECT_NEAR(heat.sentences[0].weights[static_cast<std::size_t>(k)],
                (mean.weight(1, k) + mean.weight(2, k)) / 2, 1e-6);
  }
  const DocumentHeat steps = shaded_by(run, RunRecord::Halting{"target", {1, 3, 2}});
  EXPECT_EQ(steps.sentences[0].words, (Names{"x:1", "y:3", "z:2"}));
}

}  // namespace
}  // namespace fovea
