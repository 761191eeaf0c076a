/// Translators that read the pairs most like a source beside it: neighbour_reader.h.
#include <gtest/gtest.h>

#include "fovea/tasks/translate/translate_record.h"
#include "fovea/tasks/translate/translate_testing.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

TEST_F(TinyTranslator, ReadsNeighboursBesideItsSource) {
  TranslateRecipe with = recipe({"train.epochs=12"});
  with.data.neighbours = true;
  trained(with);
  const TranslationModel model = TranslationModel::load(folder_ / "run");
  ASSERT_TRUE(model.neighbours);
  const Ids source = model.encode_source("two one five four");
  EXPECT_EQ(model.own(source).size(), 4U);
  EXPECT_EQ(model.source.decode(model.own(source)), "two one five four");
  EXPECT_GT(source.size(), 4U + 1 + 2 + 2);  // two marks and a target each
  EXPECT_EQ(model.neighbours->piece(source[4]), "<");

  const std::vector<std::string> lines = {"two one", "", "three", "five four three two", "nine"};
  const auto runner = Runner::load(folder_ / "run");
  const std::vector<Answer> answers = runner->run(inputs_of(lines, {{"align", true}}), {});
  EXPECT_EQ(answers[0].text, "zwei eins\t0-0 1-1");
  EXPECT_EQ(answers[1].text, "\t");
  const auto validated = runner->test({.part = Part::dev});
  EXPECT_EQ(validated.answers,
            best_of(translate(model, validated.sources, {.decode = model.recipe.decode})));

  // What stands beside the source is there to be looked at, and joined to words as it is.
  const RunRecord looked = runner->record(std::span(lines).first(1), {}, {.words = true})[0];
  const AttentionMap map = alignment_map(looked);
  EXPECT_EQ(looked.input, "two one");
  EXPECT_EQ(map.keys[0], "two");
  EXPECT_EQ(map.keys[2], "<");
  EXPECT_EQ(map.keys.size(), model.encode_source("two one").size());

  // A pair that is added is read beside those that are like it.
  std::ofstream(folder_ / "run" / "neighbours.tsv", std::ios::app) << "nine nine\tdrei drei\n";
  const TranslationModel more = TranslationModel::load(folder_ / "run");
  EXPECT_EQ(model.encode_source("nine").size(), 2U);
  EXPECT_GT(more.encode_source("nine").size(), 2U);
}

// A source that is cut is no neighbour of its whole, which would tell it its target.
TEST_F(TinyTranslator, NeighboursOfACutSourceAreCutAsWell) {
  TranslateRecipe with = recipe({"train.epochs=1", "data.longest=2", "data.cut=true"});
  with.data.neighbours = true;
  std::ofstream(folder_ / "train.en") << "one two three\none four\n";
  std::ofstream(folder_ / "train.de") << "eins\nvier\n";
  with.data.split = {};
  trained(with);
  const TranslationModel model = TranslationModel::load(folder_ / "run");
  const Ids source = model.encode_source("one two three");
  EXPECT_EQ(model.neighbours->piece(source[3]), "vier");
}

TEST_F(TinyTranslator, SayWhatDoesNotGoWithNeighbours) {
  TranslateRecipe with = recipe({"train.epochs=1"});
  with.data.neighbours = true;
  trained(with);
  const std::vector<std::string> lines = {"two one"};
  expect_says([&] { runner({"decode.coverage_penalty=0.2"})->run(lines, {}); },
              "decode.coverage_penalty");
  fs::remove(folder_ / "run" / "neighbours.tsv");
  expect_says([&] { runner(); }, "neighbours.tsv: is not there");
}

TEST_F(TinyTranslator, NeighboursNeverOutgrowLearnedPlaces) {
  TranslateRecipe with = recipe({"train.epochs=1"});
  with.data.neighbours = true;
  read_config(parse_toml(R"(
family = "convolutional"
encoder_layers = 1
decoder_layers = 1
width = 16
hidden = 16
longest = 7)",
                         "test"),
              with.model);
  trained(with);
  const TranslationModel model = TranslationModel::load(folder_ / "run");
  for (const char* line : {"two", "two one", "two one five four", "two one five four two one"}) {
    EXPECT_LE(model.encode_source(line).size(), 7U);
  }
  EXPECT_EQ(model.encode_source("five").size(), 7U);  // of one neighbour
}

// What is learned from is what is read later, of sources that are in the table as of others.
TEST_F(TinyTranslator, LearnsFromSourcesAsItReadsThem) {
  TranslateRecipe with = recipe({"train.epochs=1"});
  with.data.neighbours = true;
  trained(with);
  const TranslationModel model = TranslationModel::load(folder_ / "run");
  const TranslateWorkload learns = work(with, "run", true);
  for (const Part part : {Part::train, Part::dev}) {
    const auto& examples = part == Part::train ? learns.train() : *learns.dev();
    const TestSet lines = read_test_set(model.recipe.data, part, false);
    ASSERT_EQ(examples.size(), std::ssize(lines.sources));
    for (Dim e = 0; e < examples.size(); ++e) {
      EXPECT_EQ(examples[e].source,
                model.encode_source(lines.sources[static_cast<std::size_t>(e)]));
    }
  }
}

}  // namespace
}  // namespace fovea
