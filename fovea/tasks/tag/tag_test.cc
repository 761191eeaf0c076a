/// The whole way of tiny models that tag: files, words, training, folder, answers, pictures.
#include <gtest/gtest.h>

#include "fovea/tasks/elmo/elmo.h"
#include "fovea/tasks/tag/tag.h"
#include "fovea/tasks/task_testing.h"
#include "fovea/train/train_state.h"

namespace fovea {
namespace {

constexpr const char* toml = R"(
task = "tag"
data = { train = ["words", "tags", "intents"], split = { dev = 0.2, test = 0.2 } }
batch = { rows = 128 }
model = { family = "recurrent", layers = 1, width = 8, hidden = 8, dropout = 0, letter_width = 4, letter_filters = 4 }
objective = { intent = 1.0 }
train = { epochs = 12, watch = "f1", schedule = { kind = "constant", rate = 2e-2, warmup = 5 } }
)";

/// Orders such as "fly from New York to Rome": whether a city is where one begins or ends is told
/// by the word before it, and what is asked for by the first word.
class TinyOrders : public TinyTask<TaggingModel> {
 protected:
  TinyOrders() : TinyTask(toml) {
    const std::vector<std::string> cities = {"Rome", "Oslo", "New York", "San Jose"};
    const Draws draws = {.seed = 5};
    std::ofstream words(folder_ / "words"), tags(folder_ / "tags"), intents(folder_ / "intents");
    std::ofstream columns(folder_ / "orders.conll");
    for (std::uint64_t line = 0; line < 200; ++line) {
      const auto draw = [&](std::uint64_t i, std::uint32_t n) {
        return draws.below(8 * line + i, n);
      };
      const bool fly = draw(0, 2) == 0, from_first = draw(1, 2) == 0;
      Words text = {fly ? "fly" : "cost"}, tagged = {"O"};
      for (const bool from : {from_first, !from_first}) {
        text.push_back(from ? "from" : "to");
        tagged.push_back("O");
        const Words city = words_in(cities[draw(from ? 2 : 3, 4)]);
        for (std::size_t i = 0; i < city.size(); ++i) {
          text.push_back(city[i]);
          tagged.push_back(concat(i == 0 ? "B-" : "I-", from ? "FROM" : "TO"));
        }
      }
      for (std::size_t i = 0; i < text.size(); ++i) {
        words << text[i] << " ";
        tags << tagged[i] << " ";
        columns << text[i] << " X " << tagged[i] << "\n";
      }
      words << "\n";
      tags << "\n";
      columns << "\n";
      intents << (fly ? "flight" : "price") << "\n";
    }
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }

  static double figure(const TestResult& result, const std::string& name) {
    for (const Report& report : result.reports) {
      if (report.figure.name == name) return report.figure.value;
    }
    return -1;
  }
};

const std::vector<std::string> kColumns = {"data.form=\"columns\"",
                                           "data.train=[\"orders.conll#1\", \"orders.conll#3\"]"};

TEST_F(TinyOrders, TextsWithoutAnIntentAreNeitherRightNorWrong) {
  const auto work = this->work(recipe());
  TaggingModel::Score score(work.task());
  for (const char* intent : {"flight", "price", ""}) {
    TagExample given;
    given.words = 1, given.tags = {"O"}, given.tag_ids = {0}, given.intent = intent;
    score.add(given, {{"O"}, "flight"});
  }
  const std::vector<Figure> figures = validation_figures(score.reports({{0, 0}, {0, 0}}));
  EXPECT_EQ(find_figure(figures, "intent").value, 50);
  EXPECT_EQ(find_figure(figures, "frame").value, 50);
}

TEST_F(TinyOrders, SlotsAndIntentsAreLearnedToldMeasuredAndSeen) {
  EXPECT_EQ(trained(recipe()).best->value, 100);
  const auto runner = this->runner();
  const std::vector<std::string> lines = {"fly  to New York from Rome", "",
                                          "cost from Oslo to Oslo"};
  const auto answers = runner->run(lines, {});
  EXPECT_EQ(answers[0].text, "flight\tfly/O to/O New/B-TO York/I-TO from/O Rome/B-FROM");
  const Json& entities = answers[0].json["entities"];
  ASSERT_EQ(entities.size(), 2U);
  EXPECT_EQ(entities[0], (Json{{"type", "TO"}, {"text", "New York"}, {"begin", 8}, {"end", 16}}));
  EXPECT_EQ(answers[0].json["intent"], "flight");
  EXPECT_EQ(answers[1].text, "");
  EXPECT_TRUE(answers[1].json["entities"].empty());
  EXPECT_FALSE(answers[1].json.contains("intent"));
  EXPECT_EQ(answers[2].text, "price\tcost/O from/O Oslo/B-FROM to/O Oslo/B-TO");

  const TestResult test = runner->test({});
  EXPECT_EQ(figure(test, "f1"), 100);
  EXPECT_EQ(figure(test, "f1.FROM"), 100);
  EXPECT_EQ(figure(test, "intent"), 100);
  EXPECT_EQ(figure(test, "frame"), 100);
  EXPECT_EQ(figure(test, "unseen.tags"), -1) << "told though all were seen";

  const RunRecord looked = runner->record(std::span(lines).first(1), {}, {})[0];
  EXPECT_TRUE(maps_of(looked).empty());
  ASSERT_EQ(looked.documents.size(), 1U);
  EXPECT_EQ(looked.documents[0].title, "for flight");
  EXPECT_EQ(looked.documents[0].sentences[0].words, words_in(lines[0]));
}

TEST_F(TinyOrders, AnswersComeInTheSchemeThatIsAskedFor) {
  trained(recipe());
  const std::vector<std::string> lines = {"fly to New York from Rome"};
  EXPECT_EQ(runner({"data.scheme=\"bioes\""})->run(lines, {})[0].text,
            "flight\tfly/O to/O New/B-TO York/E-TO from/O Rome/S-FROM");
}

TEST_F(TinyOrders, ATransformerOverPiecesReadsColumns) {
  auto settings = kColumns;
  settings.insert(settings.end(),
                  {"model.family=\"transformer\"", "model.heads=2", "model.width=16",
                   "model.hidden=32", "model.positions=\"rotary\"", "text.letters=false",
                   "text.words={ kind = \"bpe\", vocabulary = 30 }", "train.epochs=60",
                   "train.schedule.rate=1e-2"});
  EXPECT_GT(trained(recipe(settings)).best->value, 80);
  const std::vector<std::string> lines = {"cost from Oslo to Rome"};
  const auto runner = this->runner();
  EXPECT_TRUE(runner->run(lines, {})[0].text.starts_with("cost/O from/O Oslo/B-"));
  const RunRecord looked = runner->record(lines, {}, {})[0];
  EXPECT_EQ(maps_of(looked).size(), 2U);  // two heads
  EXPECT_GT(alignment_map(looked).keys.size(), 5U) << "words are pieces here";
  EXPECT_EQ(alignment_map(looked).queries.size(), alignment_map(looked).keys.size());
}

TEST_F(TinyOrders, ShowsWhatItLearnsToThoseWhoWatch) {
  const std::vector<std::string> transformer = {"model.family=\"transformer\"", "model.heads=2",
                                                "model.width=16", "model.hidden=32"};
  auto work = this->work(recipe(transformer));
  const std::vector<std::string> lines = work.show(7);
  ASSERT_EQ(lines.size(), 2U);
  const Json sample = Json::parse(lines[0])["samples"][0];
  EXPECT_NE(sample["output"].get<std::string>().find("/"), std::string::npos);
  EXPECT_NE(sample["reference"].get<std::string>().find("/O"), std::string::npos);
  EXPECT_FALSE(Json::parse(lines[1])["queries"].empty());
  EXPECT_EQ(this->work(recipe(), "recurrent").show(7).size(), 1U);
}

TEST_F(TinyOrders, WordsBeyondThePositionsAreOutside) {
  trained(recipe(
      {"model.family=\"transformer\"", "model.heads=2", "model.longest=8", "train.epochs=1"}));
  const std::vector<std::string> lines = {"fly from Rome to Oslo",
                                          "fly from Rome to Oslo from Rome to Oslo"};
  const auto answers = runner()->run(lines, {});
  EXPECT_FALSE(answers[0].cut);
  EXPECT_TRUE(answers[1].cut);
  EXPECT_TRUE(answers[1].text.ends_with("Oslo/O"));
  const auto looked = runner()->record(lines, {}, {});
  EXPECT_FALSE(looked[0].cut);
  EXPECT_TRUE(looked[1].cut);
}

TEST_F(TinyOrders, ElmoTellsOfWordsThatTheModelDoesNotKnow) {
  std::string words, tags;
  const Draws draws = {.seed = 7};
  for (std::uint64_t i = 0; i < 600; ++i) {
    const bool name = draws.below(i, 2) == 0;
    const bool ends = i % 3 == 2;  // by a number, so that lines differ
    words += concat("the ", name ? "Rome " : "city ", ends ? concat(i, "\n") : "");
    tags += concat("O ", name ? "B-X " : "O ", ends ? "O\n" : "");
  }
  write("words", words);
  write("tags", tags);
  ElmoRecipe elmo;
  read_config(parse_toml(R"(
task = "elmo"
data = { train = ["words"] }
words = { kind = "words", vocabulary = 0 }
batch = { rows = 256 }
model = { letter_width = 8, letter_windows = [2], letter_filters = 16, projection = 8, hidden = 16 }
train = { epochs = 20, schedule = { kind = "constant", rate = 1e-2, warmup = 5 } }
)",
                         "test"),
              elmo);
  ElmoModel::locate(elmo, folder_);
  ExampleWorkload<ElmoModel> work(elmo,
                                  {.base = folder_, .folder = folder_ / "elmo", .resume = false});
  train(work, elmo.train, {.folder = folder_ / "elmo", .quiet = true});

  // "the" alone is known, so that a name is as unknown as any other word.
  const std::vector<std::string> unknown = {
      "data.train=[\"words\", \"tags\"]", "text.letters=false",
      "text.words={ kind = \"words\", vocabulary = 0, min_count = 300 }", "train.epochs=20"};
  EXPECT_LT(trained(recipe(unknown)).best->value, 90);
  auto told = unknown;
  told.emplace_back("model.elmo=\"elmo\"");
  std::filesystem::remove_all(folder_ / "run");
  EXPECT_EQ(trained(recipe(told)).best->value, 100);

  std::filesystem::remove_all(folder_ / "elmo");  // the model has its own
  const std::vector<std::string> lines = {"the city the Rome", ""};
  const auto answers = runner()->run(lines, {});
  EXPECT_EQ(answers[0].text, "the/O city/O the/O Rome/B-X");
  EXPECT_EQ(answers[1].text, "");
  EXPECT_EQ(figure(runner()->test({}), "f1"), 100);
  auto longer = told;
  longer.emplace_back("train.epochs=21");
  EXPECT_EQ(trained(recipe(longer), "run", /*resume=*/true).best->value, 100);

  expect_says([&] { trained(recipe(told), "other"); }, "model.elmo: elmo is neither seen");
  auto transformer = told;
  transformer.insert(transformer.end(),
                     {"model.family=\"transformer\"", "model.elmo=\"run/elmo\""});
  expect_says([&] { trained(recipe(transformer), "other"); }, "family = \"recurrent\" alone");
}

TEST_F(TinyOrders, WithoutAttentionThereIsNothingToSee) {
  auto settings = kColumns;
  settings.insert(settings.end(),
                  {"train.epochs=1", "model.crf=false", "data.split={ dev = 0.2 }"});
  trained(recipe(settings));
  const auto runner = this->runner();
  const std::vector<std::string> lines = {"fly to Rome"};
  expect_says([&] { runner->record(lines, {}, {}); }, "no attention");
  expect_says([&] { runner->test({}); }, "the recipe has no test set");
}

TEST_F(TinyOrders, WhatTrainingNeverSawCountsAsWrongAndIsTold) {
  trained(recipe());
  write("w", "fly to Rome\ncost from Oslo\n");
  write("t", "O O B-TO\nO O B-VIA\n");
  write("i", "flight\nrefund\n");
  const TestResult test = runner()->test({.files = {"w", "t", "i"}, .base = folder_});
  EXPECT_EQ(figure(test, "f1"), 50);  // one of two, and two are found
  EXPECT_EQ(figure(test, "intent"), 50);
  EXPECT_EQ(figure(test, "frame"), 50);
  EXPECT_EQ(figure(test, "unseen.tags"), 1);
  EXPECT_EQ(figure(test, "unseen.intents"), 1);
  EXPECT_NE(test.reports.back().text.find("refund (1)"), std::string::npos);
}

TEST_F(TinyOrders, SaysThatASplitLeftAPartEmpty) {
  write("w", "fly to Rome\nfly to Rome\nfly to Rome\n");
  write("t", "O O B-TO\nO O B-TO\nO O B-TO\n");
  const TagRecipe with = recipe({"data.train=[\"w\", \"t\"]", "data.split={ dev = 1e-9 }"});
  expect_says([&] { work(with); }, "data: the dev set has no examples: data.split.dev = 1e-09 of ");
  expect_says([&] { work(with); }, "/w left it none, as equal texts stay together");
}

TEST_F(TinyOrders, MistakesOfFilesAreNamed) {
  const auto expect_refused = [&](const std::vector<std::string>& settings, std::string_view part) {
    expect_says([&] { work(recipe(settings)); }, part);
  };
  const std::vector<std::string> files = {"data.train=[\"w\", \"t\"]",
                                          "data.split={ dev = 0, test = 0 }"};
  write("w", "fly to Rome\nfly\n");
  write("t", "O O B-TO\nO O\n");
  expect_refused(files, "t:2: expected 1 tags for as many words, found 2");
  write("t", "O O B-TO\nTO\n");
  expect_refused(files, "t:2: 'TO' is no tag of the scheme iob2");
  write("w", "\n");
  write("t", "\n");
  expect_refused(files, "w:1: no words");
  write("c", "fly O\nto O\nRome S-TO\n");
  const std::vector<std::string> columns = {
      "data.form=\"columns\"", "data.train=[\"c#1\", \"c#2\"]", "data.split={ dev = 0, test = 0 }"};
  expect_refused(columns, "c#2:3: 'S-TO' is no tag");
  expect_refused({"data.form=\"columns\"", "data.train=[\"c#1\", \"c#3\"]"}, "c:1: has 2 columns");
  expect_refused({"data.train=[\"w\"]"}, "expected files of words and of tags");
  expect_says([&] { trained(recipe({"text.words={ kind = \"bpe\", vocabulary = 30 }"})); },
              "text.letters");
}

}  // namespace
}  // namespace fovea
