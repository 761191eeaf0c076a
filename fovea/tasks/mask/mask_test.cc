/// The whole way of tiny models that fill in masks, and of what begins with them: files, words,
/// masking, training, folder, answers, fine-tuning.
#include <gtest/gtest.h>

#include <cctype>
#include <cmath>

#include "fovea/tasks/classify/classify.h"
#include "fovea/tasks/mask/mask.h"
#include "fovea/tasks/pretrained.h"
#include "fovea/tasks/tag/tag.h"
#include "fovea/tasks/task_testing.h"

namespace fovea {
namespace {

constexpr const char* toml = R"(
task = "mask"
data = { train = ["one.txt", "two.txt"], longest = 16, split = { dev = 0.2 } }
words = { kind = "words", vocabulary = 0, lowercase = true, marks_apart = true }
batch = { rows = 256 }
objective = { share = 0.2 }
train = { epochs = 80, schedule = { kind = "constant", rate = 1e-2, warmup = 10 } }
[model]
next_sentence = true
encoder = { layers = 1, width = 32, hidden = 32, heads = 2, dropout = 0.0, positions = "sinusoidal" }
)";

/// Documents of two sentences, in which what is liked is named twice: each tells what is hidden in
/// the other, and whether the other belongs to it.
class TinyMask : public TinyTask<Mask> {
 protected:
  TinyMask() : TinyTask(toml) {
    const std::vector<std::string> things = {"tea", "fish", "rain", "gold", "jazz"};
    const std::vector<std::string> people = {"Anna", "Bob", "Carl", "Dora", "Emil", "Fay",
                                             "Gus",  "Hal", "Ina",  "Jon",  "Kim",  "Leo"};
    const Draws draws = {.seed = 5};
    std::ofstream one(folder_ / "one.txt"), two(folder_ / "two.txt"), said(folder_ / "said.tsv");
    for (std::uint64_t line = 0; line < 500; ++line) {
      const auto draw = [&](std::uint64_t i, std::uint32_t n) {
        return draws.below(4 * line + i, n);
      };
      const std::string& thing = things[draw(0, 5)];
      const std::string& other = draw(1, 2) == 0 ? thing : things[draw(2, 5)];
      const std::string likes = people[draw(3, 12)] + " likes " + thing;
      std::string wins = thing + " wins.\n";
      wins[0] = static_cast<char>(std::toupper(wins[0]));  // begins a sentence
      (line % 2 == 0 ? one : two) << likes << ". " << wins;
      said << (thing == other ? "yes" : "no") << "\t" << likes << "\t" << other << " wins\n";
    }
  }

  ClassifyRecipe fine_tuning(const std::vector<std::string>& settings = {}) const {
    Json json = parse_toml(R"(
task = "classify"
data = { train = ["said.tsv#1", "said.tsv#2", "said.tsv#3"], split = { dev = 0.1 } }
batch = { rows = 256 }
model = { family = "encoder", from = "run", encoder = { dropout = 0.0 } }
train = { epochs = 10, watch = "accuracy", schedule = { kind = "constant", rate = 5e-3, warmup = 10 } }
)",
                           "test");
    for (const std::string& setting : settings) set_value(json, setting);
    ClassifyRecipe recipe;
    read_config(json, recipe);
    Classify::locate(recipe, folder_);
    return recipe;
  }
  RunPlace tuned() const { return {.base = folder_, .folder = folder_ / "tuned"}; }
};

TEST_F(TinyMask, FillsInIsMeasuredAndSeen) {
  const TrainResult result = trained(recipe({"model.next_sentence=false"}));
  EXPECT_LT(result.best->value, 0.9);  // nats; only who likes it cannot be known
  const auto run = runner();
  const std::vector<std::string> lines = {"Anna likes [MASK]. Jazz wins.",
                                          "Anna [MASK] fish. [MASK] wins."};
  const auto answers = run->run(lines, {});
  EXPECT_EQ(answers[0].json["filled"], "Anna likes jazz. Jazz wins.");
  EXPECT_EQ(answers[1].json["filled"], "Anna likes fish. fish wins.");
  ASSERT_EQ(answers[1].json["masks"].size(), 2U);
  EXPECT_EQ(answers[1].json["masks"][0].size(), 5U);
  EXPECT_EQ(answers[0].text.substr(0, 5), "jazz ");
  expect_says([&] { run->run(std::vector<std::string>{"no mask <s> [CLS]"}, {}); },
              "expected [MASK] in the line, found 'no mask <s> [CLS]'");
  expect_refused(*run, {lines[0], lines[1], "no mask", lines[0]}, 2);

  const TestResult test = run->test({.part = Part::dev});
  ASSERT_EQ(test.reports.size(), 2U);  // accuracy, perplexity
  EXPECT_GT(test.reports[0].figure.value, 65);
  EXPECT_NEAR(test.reports[1].figure.value, std::exp(result.best->value), 1e-6)
      << "masked as in validation";
  EXPECT_FALSE(test.answers.front().empty());

  const RunRecord looked = run->record(std::span(lines).last(1), {}, {})[0];
  EXPECT_EQ(maps_of(looked).size(), 2U);   // two heads
  EXPECT_EQ(looked.documents.size(), 2U);  // two masks
  EXPECT_EQ(alignment_map(looked).keys.front(), "<s>");
  EXPECT_EQ(alignment_map(looked).keys[2], "[MASK]");
}

TEST_F(TinyMask, ShowsWhatItLearnsToThoseWhoWatch) {
  auto work = this->work(recipe());
  const std::vector<std::string> lines = work.show(7);
  ASSERT_EQ(lines.size(), 2U);
  const Json sample = Json::parse(lines[0])["samples"][0];
  EXPECT_NE(sample["input"].get<std::string>().find("[MASK]"), std::string::npos);
  EXPECT_FALSE(sample["output"].get<std::string>().empty());
  EXPECT_FALSE(sample["reference"].get<std::string>().empty());
  EXPECT_FALSE(Json::parse(lines[1])["queries"].empty());

  work.begin_epoch(0);
  EXPECT_NE(work.describe(0).find(" of the training text"), std::string::npos) << work.describe(0);
}

TEST_F(TinyMask, FineTuningBeginsWithWhatWasLearned) {
  trained(recipe());
  const TestResult test = runner()->test({.part = Part::dev});
  ASSERT_EQ(test.reports.size(), 3U);
  EXPECT_EQ(test.reports[2].figure.name, "next-accuracy");
  EXPECT_GT(test.reports[2].figure.value, 65);  // the same thing may win elsewhere
  ExampleWorkload<Classify> begun(fine_tuning(), tuned());
  const Pretrained before = Pretrained::open("run", folder_);
  EXPECT_EQ(before.encoder.kinds, 2);
  const auto loaded = load_model<Mask>(folder_ / "run");
  std::size_t taken = 0;
  for (const Parameter& p : begun.params().all()) {
    const Parameter* same = loaded.params->find(p.name);
    if (!p.name.starts_with("encoder.") && !p.name.starts_with("pooler.")) continue;
    ASSERT_TRUE(same) << p.name;
    EXPECT_TRUE(identical(p.var.value(), same->var.value())) << p.name;
    ++taken;
  }
  EXPECT_GT(taken, 10U);

  ExampleWorkload<Classify> work(fine_tuning(), tuned());
  const TrainResult result = train(work, fine_tuning().train,
                                   {.folder = folder_ / "tuned", .overwrite = true, .quiet = true});
  EXPECT_GT(result.best->value, 95);
  const auto run = Runner::load(folder_ / "tuned");
  EXPECT_EQ(run->run(std::vector<std::string>{"Anna likes tea\ttea wins"}, {})[0].text, "yes");
  EXPECT_EQ(run->run(std::vector<std::string>{"Anna likes tea\tgold wins"}, {})[0].text, "no");
  const RunRecord looked =
      run->record(std::vector<std::string>{"Anna likes tea\ttea wins"}, {}, {})[0];
  EXPECT_EQ(
      looked.documents[0].sentences[0].words,
      (std::vector<std::string>{"<s>", "anna", "likes", "tea", "</s>", "tea", "wins", "</s>"}));
}

TEST_F(TinyMask, ATaggerBeginsWithItAndReadsLettersToo) {
  trained(recipe({"train.epochs=1"}));
  std::ofstream(folder_ / "tags.tsv") << "Anna likes tea\tB-PER O B-THING\n"
                                      << "Bob likes gold\tB-PER O B-THING\n";
  TagRecipe tags;
  read_config(parse_toml(R"(
task = "tag"
data = { train = ["tags.tsv#1", "tags.tsv#2"] }
model = { from = "run", crf = false }
)",
                         "test"),
              tags);
  TaggingModel::locate(tags, folder_);
  ExampleWorkload<TaggingModel> work(
      tags, {.base = folder_, .folder = folder_ / "tagger", .resume = false});
  const auto before = load_model<Mask>(folder_ / "run");
  std::size_t taken = 0, added = 0;
  for (const Parameter& p : work.params().all()) {
    if (!p.name.starts_with("encoder.")) continue;
    const Parameter* same = before.params->find(p.name);
    ++(same ? taken : added);
    EXPECT_TRUE(!same || identical(p.var.value(), same->var.value())) << p.name;
  }
  EXPECT_GT(taken, 10U);
  EXPECT_GT(added, 0U) << "what reads letters";
}

TEST_F(TinyMask, WhatDoesNotFitIsRefused) {
  trained(recipe({"train.epochs=1"}));
  const auto begin = [&](const std::string& setting) {
    return [this, setting] { ExampleWorkload<Classify>(fine_tuning({setting}), tuned()); };
  };
  expect_says(begin("model.encoder.layers=3"), "model.encoder.layers = 3, but the model in");
  expect_says(begin("model.from=\"nowhere\""), "model.from: nowhere is neither seen from");
  expect_says(begin("model.family=\"aligned\""), "only family = \"encoder\"");
  std::filesystem::create_directories(folder_ / "empty");
  expect_says(begin("model.from=\"empty\""), "no model there");
  std::filesystem::remove(folder_ / "run" / "words.json");
  expect_says(begin("train.epochs=1"), "words.json");
}

TEST_F(TinyMask, MakesNoSenseTogether) {
  expect_says([&] { trained(recipe({"data.pack=true"})); }, "data.pack");
  expect_says(
      [&] {
        trained(recipe({"model.encoder.positions=learned", "model.encoder.longest=12"}));
      },
      "model.encoder.longest");
  expect_says([&] { trained(recipe({"model.encoder.causal=true"})); }, "causal");
  expect_says([&] { trained(recipe({"objective.share=1.5"})); }, "objective.share");
}

TEST_F(TinyMask, StaticMaskingIsDrawnOnceAndDynamicAnew) {
  for (const bool dynamic : {false, true}) {
    const std::string setting = concat("objective.dynamic=", dynamic ? "true" : "false");
    const auto work = this->work(recipe({setting}), setting);
    const auto tokens = [&](Dim epoch) {
      std::vector<Ids> all;
      for (std::uint32_t e = 0; e < 8; ++e) {
        all.push_back(work.task().view(work.train(), {.epoch = epoch, .example = e}).tokens);
      }
      return all;
    };
    EXPECT_EQ(tokens(0), tokens(0));
    EXPECT_EQ(tokens(0) == tokens(1), !dynamic);
  }
}

TEST_F(TinyMask, LongLinesAreCutEvenlyAndShortOnesPacked) {
  std::ofstream(folder_ / "long.txt") << "a b c d e f g h i j k l m n o p q\nr s\nt\n";
  const auto contexts = [&](const std::string& pack) {
    const std::vector<std::string> settings = {"data.train=[\"long.txt\"]",
                                               "data.split={ dev = 0 }", "data.longest=12",
                                               "model.next_sentence=false", "data.pack=" + pack};
    const auto work = this->work(recipe(settings), pack);
    std::vector<std::string> all;
    for (Dim e = 0; e < work.train().size(); ++e) {
      std::string& text = all.emplace_back();
      for (const std::int32_t id : work.train()[e].tokens)
        text += work.task().words.piece(id) + " ";
    }
    return all;
  };
  EXPECT_EQ(contexts("false"),
            (std::vector<std::string>{"a b c d e f g h ", "i j k l m n o p q ", "r s ", "t "}));
  EXPECT_EQ(contexts("true"),
            (std::vector<std::string>{"a b c d e f g h i j ", "k l m n o p q </s> r s ", "t "}));
}

/// Pieces of words: "▁a" and "b", "c" within them.
class MaskingTest : public ::testing::Test {
 protected:
  MaskingTest()
      : words_(Tokenizer::train(
            {.kind = TokenizerKind::bpe, .vocabulary = 24, .controls = {std::string(mask_name)}},
            [n = 0](std::string& line) mutable {
              line = "abcd efgh hgfe dcba ab cd ef";
              return n++ < 50;
            })) {
    for (int i = 0; i < 400; ++i) text_ += "abcd efgh ahbg ";
    tokens_ = words_.encode(text_);
    tokens_.insert(tokens_.begin(), words_.special().begin);
    tokens_.push_back(words_.special().end);
  }

  Tokenizer words_;
  std::string text_;
  Ids tokens_;
};

TEST_F(MaskingTest, HidesEightyTenTen) {
  const Masked hidden = masked(tokens_, words_, {}, {.seed = 3});
  const auto all = static_cast<double>(tokens_.size() - 2);
  ASSERT_EQ(hidden.places.size(), static_cast<std::size_t>(std::round(0.15 * all)));
  double masks = 0, kept = 0;
  for (std::size_t i = 0; i < hidden.places.size(); ++i) {
    const auto at = static_cast<std::size_t>(hidden.places[i]);
    EXPECT_EQ(hidden.targets[i], tokens_[at]);
    masks += hidden.tokens[at] == *words_.control(mask_name);
    kept += hidden.tokens[at] == tokens_[at];
  }
  const auto asked = static_cast<double>(hidden.places.size());
  EXPECT_NEAR(masks / asked, 0.8, 0.06);
  EXPECT_NEAR(kept / asked, 0.1, 0.06);  // and some that were drawn by chance
  EXPECT_EQ(hidden.tokens.front(), words_.special().begin);
  EXPECT_EQ(hidden.tokens.back(), words_.special().end);
  // All that is not asked for stays.
  Ids restored = hidden.tokens;
  for (std::size_t i = 0; i < hidden.places.size(); ++i) {
    restored[static_cast<std::size_t>(hidden.places[i])] = hidden.targets[i];
  }
  EXPECT_EQ(restored, tokens_);
}

TEST_F(MaskingTest, HidesWholeWords) {
  const Masked hidden = masked(tokens_, words_, {.whole_words = true}, {.seed = 3});
  const std::vector<Dim> word = words_.words(tokens_);
  std::vector<int> pieces(tokens_.size(), 0), chosen(tokens_.size(), 0);
  for (const Dim w : word) ++pieces[static_cast<std::size_t>(w)];
  for (const std::int32_t place : hidden.places) {
    ++chosen[static_cast<std::size_t>(word[static_cast<std::size_t>(place)])];
  }
  bool several = false;
  for (std::size_t w = 0; w < pieces.size(); ++w) {
    EXPECT_TRUE(chosen[w] == 0 || chosen[w] == pieces[w]) << w;
    several = several || chosen[w] > 1;
  }
  EXPECT_TRUE(several);
  EXPECT_NEAR(static_cast<double>(hidden.places.size()) / static_cast<double>(tokens_.size()), 0.15,
              0.01);
}

TEST_F(MaskingTest, AMaskInTextIsData) {
  for (const std::int32_t id : words_.encode("abcd [MASK] <s> </s>")) {
    EXPECT_TRUE(id == words_.special().unknown || id > *words_.control(mask_name));
  }
}

}  // namespace
}  // namespace fovea
