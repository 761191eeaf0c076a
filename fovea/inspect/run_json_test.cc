#include "fovea/inspect/run_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fovea/inspect/run_testing.h"

namespace fovea {
namespace {

using nlohmann::json;

TEST(RunJson, TellsAllButTheWeights) {
  RunRecord run = sample_run({.heads = {1}});
  run.sequences[0].tokens[0] = "\xff\n";
  run.documents.push_back({"shaded", {{0.5F, {"a"}, {1}}}});
  run.halting.push_back({"target", {1, 2, 3}});
  run.cut = true;
  run.samples.push_back({"decoder.3.cross", 0, {{0}, {1}, {3}}});
  const json told = run_json(run, "r7");
  EXPECT_EQ(told["id"], "r7");
  EXPECT_EQ(told["model"], "m");
  EXPECT_EQ(told["input"], "a b");
  EXPECT_EQ(told["cut"], true);
  EXPECT_FALSE(run_json(sample_run(), "x").contains("cut"));
  EXPECT_EQ(told["sequences"][0]["tokens"][0], "\ufffd\u240a");
  EXPECT_EQ(told["layers"][2], (json{{"name", "decoder.3.cross"},
                                     {"queries", "target"},
                                     {"keys", "source"},
                                     {"heads", {1}},
                                     {"kept", "all"}}));
  EXPECT_EQ(told["alignment"], (json{{"layer", "decoder.3.cross"}, {"head", "mean"}}));
  EXPECT_EQ(told["documents"][0]["sentences"][0]["weight"], 0.5);
  EXPECT_EQ(told["halting"][0]["steps"], (json{1, 2, 3}));
  EXPECT_EQ(told["samples"][0]["keys"], (json{{0}, {1}, {3}}));
  EXPECT_FALSE(run_json(sample_run(), "x").contains("documents"));
}

TEST(RunJson, HasAnImageWithItsPatchesAndGlimpses) {
  RunRecord run = image_run();
  run.add(
      RunRecord::Places{"patches", "image", 0, std::vector<RunRecord::Box>{{1, 2, 3, 4, 0.5F}}});
  const json image = run_json(run, "r")["image"];
  EXPECT_EQ(image["width"], 6);
  EXPECT_EQ(image["height"], 4);
  EXPECT_EQ(image["channels"], 1);
  EXPECT_EQ(image["pixels"], "AAoUHigyPEZQWmRueIKMlqCqtL7I0tzm");
  EXPECT_EQ(image["patches"],
            (json{{"sequence", "patches"}, {"first", 1}, {"rows", 2}, {"columns", 3}}));
  EXPECT_EQ(image["glimpses"],
            (json::array({{{"x", 1}, {"y", 2}, {"width", 3}, {"height", 4}, {"weight", 0.5}}})));
  EXPECT_FALSE(run_json(sample_run(), "r").contains("image"));
  run.places.clear();
  EXPECT_FALSE(run_json(run, "r")["image"].contains("patches"));
}

TEST(RunJson, HoldsWeightsInSixteenBits) {
  RunRecord run{.sequences = {{"q", {"a", "b"}}, {"k", {"x", "y", "z"}}}};
  run.layers.push_back({.name = "l",
                        .queries = "q",
                        .keys = "k",
                        .heads = {0},
                        .rows = 2,
                        .cols = 3,
                        .weights = {1, 0, 0, 0.5F, 0.25F, 0.25F}});
  // 65535, 0, 0, 32768, 16384, 16384, low byte first
  EXPECT_EQ(run_json_with_weights(run, "r")["layers"][0]["weights"], "//8AAAAAAIAAQABA");
  run.layers[0] = {.name = "l",
                   .queries = "q",
                   .keys = "k",
                   .heads = {0},
                   .keep = Keep::top,
                   .top = 1,
                   .rows = 2,
                   .cols = 3,
                   .weights = {1, 0},
                   .top_keys = {2, -1}};
  const json top = run_json_with_weights(run, "r")["layers"][0]["top"];
  EXPECT_EQ(top["count"], 1);
  EXPECT_EQ(top["keys"], "AgD//w==");  // 2, none
  EXPECT_EQ(top["weights"], "//8AAA==");
}

TEST(RunJson, TellsMeasuresAndHowAttentionForms) {
  const json told = measures_json(measures(sample_run()));
  EXPECT_EQ(told["layers"][0]["entropy"].size(), 2U);
  EXPECT_EQ(told["layers"][0]["distance"].size(), 2U);
  EXPECT_TRUE(told["layers"][2]["distance"].is_null());
  const TrainingSample samples[] = {{"a", "b", "c"}, {"d\xff", "e"}};
  const json answers = samples_line(samples, 3);
  EXPECT_EQ(answers["samples"][0], (json{{"input", "a"}, {"output", "b"}, {"reference", "c"}}));
  EXPECT_EQ(answers["samples"][1], (json{{"input", "d\ufffd"}, {"output", "e"}}));
  const json line = attention_line(alignment_map(sample_run()), 12);
  EXPECT_EQ(line["kind"], "attention");
  EXPECT_EQ(line["step"], 12);
  EXPECT_EQ(line["weights"].get<std::string>().size(), 32U);  // 24 bytes
}

}  // namespace
}  // namespace fovea
