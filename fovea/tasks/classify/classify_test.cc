/// The whole way of tiny models that classify: files, words, training, folder, answers, pictures.
#include <gtest/gtest.h>

#include "fovea/tasks/classify/classify.h"
#include "fovea/tasks/task_testing.h"

namespace fovea {
namespace {

constexpr const char* toml = R"(
task = "classify"
data = { train = ["reviews.txt#first", "reviews.txt#rest"], split = { dev = 0.1, test = 0.1 } }
text = { words = { kind = "words", vocabulary = 0, lowercase = true, marks_apart = true } }
batch = { rows = 128 }
model = { width = 16, hidden = 8, attention = 8 }
train = { epochs = 10, watch = "accuracy", schedule = { kind = "constant", rate = 1e-2, warmup = 10 } }
)";

/// Reviews of three words in two sentences, one of which tells what they think; and pairs of a
/// question and what is said to it.
class TinyTexts : public TinyTask<Classify> {
 protected:
  TinyTexts() : TinyTask(toml) {
    const std::vector<std::string> things = {"Film", "Plot", "End", "Cast"};
    const std::vector<std::vector<std::string>> words = {{"bad", "dull"}, {"good", "fine"}};
    std::ofstream reviews(folder_ / "reviews.txt"), pairs(folder_ / "pairs.tsv");
    const Draws draws = {.seed = 5};
    for (std::uint64_t line = 0; line < 400; ++line) {
      const auto draw = [&](std::uint64_t i, std::uint32_t n) {
        return draws.below(8 * line + i, n);
      };
      const std::uint32_t label = draw(0, 2);
      const std::string judged = things[draw(1, 4)] + " " + words[label][draw(2, 2)] + "!";
      const std::string other = "The " + things[draw(3, 4)] + ".";
      reviews << (label == 0 ? "neg " : "pos ")
              << (draw(4, 2) == 0 ? judged + " " + other : other + " " + judged) << "\n";
      const std::uint32_t thing = draw(5, 4), said = draw(6, 2) == 0 ? thing : draw(7, 4);
      pairs << things[thing] << " it is\t" << things[said] << "\t" << (thing == said ? 0 : 1)
            << "\n";
    }
  }
};

const std::vector<std::string> kLines = {"The plot. Film good!", "End dull! The film."};

TEST_F(TinyTexts, ClassQueryLearnsAnswersIsMeasuredAndSeen) {
  const TrainResult result =
      trained(recipe({"data.names=[\"no\", \"yes\"]", "model.heads=2", "model.ngrams=2",
                      "model.buckets=20", "text.word_dropout=0.05"}));
  EXPECT_EQ(result.best->name, "accuracy");
  EXPECT_EQ(result.best->value, 100);
  const auto runner = Runner::load(folder_ / "run");
  const auto answers = runner->run(kLines, {});
  EXPECT_EQ(answers[0].text, "yes");
  EXPECT_EQ(answers[1].text, "no");
  EXPECT_GT(answers[0].json["probabilities"]["yes"], 0.8);

  const TestResult test = runner->test({});
  ASSERT_EQ(test.reports.size(), 4U);  // accuracy, macro F1, and each class
  EXPECT_EQ(test.reports[0].figure.name, "accuracy");
  EXPECT_EQ(test.reports[0].figure.value, 100);
  EXPECT_EQ(test.reports[3].figure.name, "f1.yes");

  const RunRecord looked = runner->record(std::span(kLines).first(1), {}, {})[0];
  EXPECT_EQ(maps_of(looked).size(), 2U);  // two heads
  EXPECT_EQ(maps_of(looked)[0].queries, (std::vector<std::string>{"no", "yes"}));
  ASSERT_EQ(looked.documents.size(), 2U);  // two classes
  EXPECT_EQ(looked.documents[0].title, "for yes (the answer)");
  EXPECT_EQ(looked.documents[0].sentences[0].words,
            (std::vector<std::string>{"the", "plot", ".", "film", "good", "!"}));
}

TEST_F(TinyTexts, ShowsWhatItLearnsToThoseWhoWatch) {
  auto work = this->work(recipe());
  const std::vector<std::string> lines = work.show(7);
  ASSERT_EQ(lines.size(), 2U);
  const Json sample = Json::parse(lines[0])["samples"][0];
  EXPECT_FALSE(sample["input"].get<std::string>().empty());
  EXPECT_FALSE(sample["reference"].get<std::string>().empty());
  EXPECT_EQ(Json::parse(lines[1])["title"], "classes mean");
}

TEST_F(TinyTexts, ShowsSamplesAloneWhereThereIsNoAttention) {
  const ClassifyRecipe without =
      recipe({"train.epochs=1", "model.family=\"encoder\"", "model.pooling=\"mean\"",
              "model.encoder={ family = \"recurrent\", layers = 1, width = 16, hidden = 8 }"});
  auto work = this->work(without, "watched");
  const std::vector<std::string> lines = work.show(7);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_FALSE(Json::parse(lines[0])["samples"][0]["output"].get<std::string>().empty());
  trained(without);
  const auto runner = Runner::load(folder_ / "run");
  expect_says([&] { runner->record(kLines, {}, {}); }, "no attention");
}

TEST_F(TinyTexts, HierarchicalLooksAtSentencesAndWords) {
  trained(recipe({"model.family=\"hierarchical\""}));
  const auto runner = Runner::load(folder_ / "run");
  const auto answers = runner->run(kLines, {});
  EXPECT_EQ(answers[0].text, "pos");
  EXPECT_EQ(answers[1].text, "neg");
  const RunRecord looked = runner->record(std::span(kLines).first(1), {}, {})[0];
  ASSERT_EQ(looked.documents.size(), 1U);
  const auto& sentences = looked.documents[0].sentences;
  ASSERT_EQ(sentences.size(), 2U);
  EXPECT_EQ(sentences[1].words, (std::vector<std::string>{"film", "good", "!"}));
  EXPECT_NEAR(sentences[0].weight + sentences[1].weight, 1, 1e-5);
  EXPECT_FALSE(looked.alignment);
}

TEST_F(TinyTexts, PairsAreCompared) {
  const ClassifyRecipe pairs =
      recipe({"data.train=[\"pairs.tsv#3\", \"pairs.tsv#1\", \"pairs.tsv#2\"]",
              "data.split={ test = 0 }", "model.family=\"word-by-word\"",
              "data.dev=[\"pairs.tsv#3\", \"pairs.tsv#1\", \"pairs.tsv#2\"]"});
  EXPECT_GT(trained(pairs).best->value, 95);
  const auto runner = Runner::load(folder_ / "run");
  const std::vector<std::string> lines = {"Plot it is\tPlot", "Plot it is\tEnd"};
  const auto answers = runner->run(lines, {});
  EXPECT_EQ(answers[0].text, "0");
  EXPECT_EQ(answers[1].text, "1");
  const RunRecord looked = runner->record(std::span(lines).first(1), {}, {})[0];
  EXPECT_EQ(alignment_map(looked).queries, (std::vector<std::string>{"plot"}));
  EXPECT_EQ(alignment_map(looked).keys, (std::vector<std::string>{"plot", "it", "is"}));
  const std::vector<std::string> half = {"Plot it is"};
  expect_says([&] { runner->run(half, {}); }, "a tab");
  expect_refused(*runner, {lines[0], lines[1], half[0]}, 2);
  expect_says([&] { trained(recipe({"model.family=\"attentive\""})); }, "second texts");
}

TEST_F(TinyTexts, EncodersAreSeen) {
  for (const std::string encoder :
       {"{ layers = 1, width = 16, hidden = 32, heads = 2, dropout = 0.0 }",
        "{ family = \"recurrent\", layers = 1, width = 16, hidden = 8, dropout = 0.0 }"}) {
    const TrainResult result =
        trained(recipe({"model.family=\"encoder\"", "model.pooling=\"attention\"",
                        "model.encoder=" + encoder, "text.word_dropout=0.05"}),
                encoder.substr(0, 8));
    EXPECT_GT(result.best->value, 95);
    const auto runner = Runner::load(folder_ / encoder.substr(0, 8));
    EXPECT_EQ(runner->run(kLines, {})[0].text, "pos");
    EXPECT_EQ(runner->run(std::vector<std::string>{""}, {}).size(), 1U);  // an empty text
    const RunRecord looked = runner->record(std::span(kLines).first(1), {}, {})[0];
    EXPECT_EQ(looked.documents[0].sentences[0].words,
              (std::vector<std::string>{"<s>", "the", "plot", ".", "film", "good", "!", "</s>"}));
  }
}

TEST_F(TinyTexts, AnEncoderReadsNoMoreThanItHasPlacesFor) {
  trained(recipe({"train.epochs=1", "model.family=\"encoder\"",
                  "model.encoder={ layers = 1, width = 8, hidden = 8, heads = 1, longest = 12 }"}));
  const auto model = load_model<Classify>(folder_ / "run");
  const EncodedText text =
      model.encode("film good film good film good film good film good film good");
  EXPECT_EQ(text.words.size(), 12U);
  EXPECT_TRUE(text.cut);
  const std::vector<std::string> lines = {
      "film good", "film good film good film good film good film good film good"};
  const auto looked = runner()->record(lines, {}, {});
  EXPECT_FALSE(looked[0].cut);
  EXPECT_TRUE(looked[1].cut);
}

TEST_F(TinyTexts, SchedulesKnowTheWidthOfTheFamily) {
  EXPECT_EQ(work(recipe()).model_width(), 16);
  const ClassifyRecipe encoder =
      recipe({"model.family=\"encoder\"", "model.encoder={ layers = 1, width = 8, heads = 1 }"});
  EXPECT_EQ(work(encoder, "encoder").model_width(), 8);
}

TEST_F(TinyTexts, OnlyTranslationsAreMeasuredByLength) {
  trained(recipe({"train.epochs=1"}));
  expect_says([&] { runner()->test({.lengths = {8}}); },
              "--by-length works for models of the task translate");
}

TEST_F(TinyTexts, AnUnknownLabelNamesItsPlace) {
  trained(recipe({"train.epochs=1"}));
  std::ofstream(folder_ / "other.txt") << "pos Film good!\nmeh Film.\n";
  const auto runner = Runner::load(folder_ / "run");
  const auto test = [&] {
    runner->test({.files = {"other.txt#first", "other.txt#rest"}, .base = folder_});
  };
  expect_says(test, "other.txt#first:2: label 'meh'");
  expect_says(test, "neg, pos");
}

TEST_F(TinyTexts, ClassesAreMeasuredByLabelsAndNames) {
  const auto measured = [&](const std::string& names, const std::string& lines) {
    trained(recipe({"train.epochs=10", "data.names=" + names}), names);
    std::ofstream(folder_ / "named.txt") << lines;
    return Runner::load(folder_ / names)
        ->test({.files = {"named.txt#first", "named.txt#rest"}, .base = folder_})
        .reports[0]
        .figure.value;
  };
  const std::string lines = "yes Film good!\nno Plot dull!\npos End fine!\nneg Cast bad!\n";
  EXPECT_EQ(measured("[\"no\", \"yes\"]", lines), 100);
  // A name that is the label of another class is read as that label.
  EXPECT_EQ(measured("[\"pos\", \"neg\"]", "pos Film good!\nneg Plot dull!\n"), 100);
  expect_says([&] { measured("[\"nay\", \"aye\"]", "maybe Film good!\n"); },
              "named.txt#first:1: label 'maybe' is not one of those of training: neg (nay), pos "
              "(aye)");
  expect_says([&] { measured("[\"same\", \"same\"]", "same Film good!\n"); }, "label 'same'");
}

TEST_F(TinyTexts, WhatIsTestedIsLeftOutOfTraining) {
  std::ofstream(folder_ / "test.txt") << "pos Film good! The End.\nneg never seen\n";
  std::ofstream(folder_ / "train.txt") << "pos Film good! The End.\npos fine\nneg bad\n";
  const std::vector<std::string> files = {"data.train=[\"train.txt#first\", \"train.txt#rest\"]",
                                          "data.test=[\"test.txt#first\", \"test.txt#rest\"]",
                                          "data.split={ dev = 0 }"};
  EXPECT_EQ(work(recipe(files), "a").examples(), 3);
  auto apart = files;
  apart.emplace_back("data.apart=true");
  const auto work = this->work(recipe(apart), "b");
  EXPECT_EQ(work.examples(), 2);
  EXPECT_EQ(work.notes(),
            std::vector<std::string>{"1 of 3 examples left out: also in dev or test (data.apart)"});
}

TEST_F(TinyTexts, LongTextsAreCut) {
  trained(recipe(
      {"train.epochs=1", "data.longest=5", "text.sentence=2", "model.family=\"hierarchical\""}));
  const auto model = load_model<Classify>(folder_ / "run");
  EXPECT_EQ(model.encode("the film . plot good ! end").sentences, (Ids{2, 2, 1}));
  EXPECT_TRUE(model.encode("the film . plot good ! end").cut);
  EXPECT_FALSE(model.encode("the film . plot good").cut);
  EXPECT_EQ(model.pieces("Film GOOD !"),
            (std::vector<std::vector<std::string>>{{"film", "good"}, {"!"}}));
}

}  // namespace
}  // namespace fovea
