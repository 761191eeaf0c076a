/// What a translator refuses, leaves out and says of it: data, settings and folders that are wrong.
#include <gtest/gtest.h>

#include "fovea/tasks/translate/translate.h"
#include "fovea/tasks/translate/translate_testing.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

TEST_F(TinyTranslator, TellsWhatIsLeftOutOfTraining) {
  std::ofstream(folder_ / "some.en") << "one\n\none two\none two three\none\none two three\n";
  std::ofstream(folder_ / "some.de") << "eins\nzwei\neins\neins zwei drei\n\neins\n";
  const auto notes = [&](const std::vector<std::string>& more) {
    std::vector<std::string> settings = {"data.train=[\"some.en\", \"some.de\"]",
                                         "data.split={ dev = 0, test = 0 }"};
    settings.insert(settings.end(), more.begin(), more.end());
    return work(recipe(settings)).notes();
  };
  const std::string empty = "2 of 6 examples left out: empty";
  EXPECT_EQ(notes({}), std::vector<std::string>{empty});
  EXPECT_EQ(notes({"data.longest=2"}),
            (std::vector<std::string>{
                empty, "2 of 6 examples left out: longer than data.longest = 2 pieces"}));
  EXPECT_EQ(notes({"data.ratio=2"}),
            (std::vector<std::string>{empty,
                                      "1 of 6 examples left out: one side is more than data.ratio "
                                      "= 2 times as long"}));
}

TEST_F(TinyTranslator, RefusesTheTokenizerOfAnotherModel) {
  trained(recipe({"train.epochs=1"}));
  const fs::path words = folder_ / "run" / "source.json", config = folder_ / "run" / "config.json";
  Json other = parse_json_file(words);
  std::swap(other["symbols"][0], other["symbols"][1]);  // of the same size
  std::ofstream(words) << other.dump(1) << "\n";
  expect_says([&] { TranslationModel::load(folder_ / "run"); },
              "source.json: is not the tokenizer that " + config.string() + " was saved with");
  Json before = parse_json_file(config);  // a model from before there were checksums
  ASSERT_EQ(before.erase("tokenizers"), 1U);
  std::ofstream(config) << before.dump();
  EXPECT_NO_THROW(TranslationModel::load(folder_ / "run"));
}

TEST_F(TinyTranslator, RefusesWeightsOfAnotherConfig) {
  trained(recipe({"train.epochs=1"}));
  expect_says([&] { TranslationModel::load(folder_ / "run", {"model.width=16"}); },
              (folder_ / "run").string() +
                  ": config.json and model.safetensors do not belong together: encoder.");
}

TEST_F(TinyTranslator, NamesTheFilesThatAreWrong) {
  std::ofstream(folder_ / "bad.links") << "0-0\n0-0 1:1\n";
  std::ofstream(folder_ / "two.en") << "one\none two\n";
  std::ofstream(folder_ / "two.de") << "eins\neins zwei\n";
  const std::vector<std::string> files = {"data.train=[\"two.en\", \"two.de\"]",
                                          "data.split={ dev = 0, test = 0 }",
                                          "data.alignments=bad.links"};
  expect_says([&] { trained(recipe(files)); }, "bad.links:2: alignment: expected a link");
  trained(recipe({"train.epochs=1"}));
  expect_says(
      [&] {
        runner()->test({.files = {"two.en", "two.de"}, .base = folder_, .links = "bad.links"});
      },
      (folder_ / "bad.links").string() + ":2: alignment: expected a link");
  std::ofstream(folder_ / "more.links") << "0-0\n0-0 1-1\n0-0\n";
  expect_says(
      [&] {
        runner()->test({.files = {"two.en", "two.de"}, .base = folder_, .links = "more.links"});
      },
      "more lines of links than the 2 sources have");
  std::ofstream(folder_ / "none") << "\n \n";
  expect_says(
      [&] { trained(recipe({"data.train=[\"none\", \"none\"]"})); },
      concat("data.train: no text to learn a tokenizer from in ", (folder_ / "none").string(), ", ",
             (folder_ / "none").string(), ", or data.split leaves"));
  const auto all_equal = [&](const std::string& split) {
    trained(recipe({files[0], "data.split=" + split}));
  };
  expect_says([&] { all_equal("{ dev = 1e-9 }"); },
              "data: the dev set has no examples: data.split.dev = 1e-09 of");
}

TEST_F(TinyTranslator, AnOptionIsNotBlamedOnTheFolder) {
  trained(recipe({"train.epochs=1"}));
  expect_says([&] { runner({"decode.beam=x"}); },
              "--set (or an option): decode.beam=x: expected a whole number, found \"x\"");
}

TEST_F(TinyTranslator, LongSourcesAreLeftOutOrCut) {
  std::ofstream(folder_ / "long.en") << "one two three four\ntwo\n";
  std::ofstream(folder_ / "long.de") << "eins\nzwei\n";
  const auto examples = [&](const std::string& cut) {
    const TranslateRecipe with =
        recipe({"data.train=[\"long.en\", \"long.de\"]", "data.split={ dev = 0, test = 0 }",
                "data.longest=3", "data.cut=" + cut});
    return work(with).examples();
  };
  EXPECT_EQ(examples("false"), 1);
  EXPECT_EQ(examples("true"), 2);
}

TEST_F(TinyTranslator, SettingsThatMakeNoSenseAreRefusedBeforeTraining) {
  const auto refuses = [&](const std::vector<std::string>& settings, std::string_view part) {
    expect_says([&] { work(recipe(settings)); }, part);
  };
  refuses({"decode.beam=1", "decode.n_best=4"}, "a beam of 1 does not hold the 4 best");
  refuses({"decode.beam=20000"}, "expected a beam of 1 to 1024, found 20000");
  refuses({"decode.max_length=-1"}, "max_length of at least 1");
  refuses({"decode.ratio=-1"}, "ratio");
  refuses({"decode.lag=-2"}, "decode.lag");
  refuses({"decode.rerank=0.5"}, "objective.direction");
  refuses({"decode.rerank=0.5", "decode.second=nowhere"}, "decode.second: nowhere is neither seen");
  refuses({"evaluate.lines=-1"}, "evaluate.lines: expected a number of lines, or 0 for all");
}

TEST_F(TinyTranslator, SaysWhatIsWrongWithAFolder) {
  trained(recipe({"train.epochs=1"}));
  const auto message = [&](auto&& act) -> std::string {
    try {
      act();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  const auto load = [&] { TranslationModel::load(folder_ / "run"); };
  EXPECT_NE(message([&] { TranslationModel::load(folder_); }).find("no model there"),
            std::string::npos);

  const std::string weights = bytes_of(folder_ / "run/model.safetensors");
  std::ofstream(folder_ / "run/model.safetensors", std::ios::binary) << weights.substr(0, 1000);
  EXPECT_NE(message(load).find("model.safetensors"), std::string::npos);
  std::ofstream(folder_ / "run/model.safetensors", std::ios::binary) << weights;
  EXPECT_EQ(message(load), "no error");

  const Tokenizer other =
      Tokenizer::train({.kind = TokenizerKind::words}, [n = 0](std::string& line) mutable {
        line = "a b";
        return n++ == 0;
      });
  other.save(folder_ / "run", "target");
  EXPECT_NE(message(load).find("belongs to another model"), std::string::npos);
  fs::remove(folder_ / "run/source.json");
  EXPECT_NE(message(load).find("source.json"), std::string::npos);
}

}  // namespace
}  // namespace fovea
