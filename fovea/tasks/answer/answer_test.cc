/// The whole way of tiny models that answer questions: files, words, training, folder, answers.
#include <algorithm>

#include "fovea/tasks/answer/answer.h"
#include "fovea/tasks/task_testing.h"

namespace fovea {
namespace {

constexpr const char* kChoice = R"(
task = "answer"
data = { train = ["q.tsv#1", "q.tsv#2", "q.tsv#3"], split = { dev = 0.15, test = 0.15 } }
batch = { rows = 256 }
[model]
hidden = 16
dropout = 0.0
encoder = { layers = 1, width = 16, hidden = 32, heads = 2, dropout = 0.0, positions = "sinusoidal" }
[train]
epochs = 12
watch = "map"
schedule = { kind = "constant", rate = 5e-3, warmup = 10 }
)";

/// Who has what: three sentences, of which at most one is of the one who is asked for.
class TinyChoice : public TinyTask<QuestionAnswering> {
 protected:
  TinyChoice() : TinyTask(kChoice) {
    const std::vector<std::string> who = {"Ann", "Bob", "Cid", "Dan", "Eve", "Fay"};
    const std::vector<std::string> what = {"tea", "gold", "time", "bees", "wine"};
    std::ofstream file(folder_ / "q.tsv");
    const Draws draws = {.seed = 5};
    for (std::uint64_t q = 0; q < 120; ++q) {
      const auto draw = [&](std::uint64_t i, std::uint32_t n) {
        return draws.below(16 * q + i, n);
      };
      const std::uint32_t asked = draw(0, 6), place = draw(1, 4);  // 3: in none
      for (std::uint32_t s = 0; s < 3; ++s) {
        const std::uint32_t said = s == place ? asked : (asked + 1 + draw(2 + s, 5)) % 6;
        file << "What has " << who[asked] << " today" << q << "?\t" << who[said] << " has "
             << what[draw(8 + s, 5)] << ".\t" << (s == place ? 1 : 0) << "\n";
      }
    }
  }
};

TEST_F(TinyChoice, ChoosesRanksAndShows) {
  const TrainResult result = trained(recipe());
  ASSERT_TRUE(result.best);
  EXPECT_EQ(result.best->name, "map");
  EXPECT_GT(result.best->value, 95);
  const auto model = runner();
  const std::vector<std::string> lines = {"What has Bob?\tAnn has tea.\tBob has gold."};
  const Answer answer = model->run(lines, {})[0];
  EXPECT_EQ(answer.text, "Bob has gold.");
  EXPECT_EQ(answer.json["answers"][0]["text"], "Bob has gold.");
  EXPECT_GT(answer.json["answers"][0]["probability"], 0.6);
  const TestResult test = model->test({});
  EXPECT_EQ(test.reports[0].figure.name, "map");
  EXPECT_GT(test.reports[0].figure.value, 90);
  EXPECT_EQ(test.reports[1].figure.name, "mrr");
  EXPECT_FALSE(test.answers.empty());
  const RunRecord looked = model->record(lines, {}, {})[0];
  ASSERT_EQ(looked.documents.size(), 1U);
  EXPECT_GT(looked.documents[0].sentences[1].weight, 0.6F);
  ASSERT_EQ(maps_of(looked).size(), 2U);  // two heads
  EXPECT_EQ(maps_of(looked)[0].keys, (std::vector<std::string>{"<s>", "what", "has", "bob", "?",
                                                               "</s>", "bob", "has", "gold", "."}));
  const std::vector<std::string> half = {"What has Bob?"};
  expect_says([&] { model->run(half, {}); }, "after a tab");
  expect_refused(*model, {lines[0], half[0]}, 1);
}

TEST_F(TinyChoice, ShowsWhatItLearnsToThoseWhoWatch) {
  auto work = this->work(recipe());
  const std::vector<std::string> lines = work.show(7);
  ASSERT_EQ(lines.size(), 2U);
  const Json samples = Json::parse(lines[0])["samples"];
  ASSERT_EQ(samples.size(), 3U);
  EXPECT_TRUE(samples[0]["input"].get<std::string>().starts_with("What has "));
  EXPECT_NE(samples[0]["output"].get<std::string>().find(" has "), std::string::npos);
  EXPECT_EQ(Json::parse(lines[1])["keys"][0], "<s>");
  auto recurrent = this->work(recipe({"model.encoder.family=\"recurrent\""}), "recurrent");
  EXPECT_EQ(recurrent.show(7).size(), 1U) << "it looks at nothing";
}

TEST_F(TinyChoice, WrongLinesAreNamed) {
  std::ofstream(folder_ / "bad.tsv") << "q\ta\t1\nq\tb\tyes\n";
  AnswerRecipe bad = recipe({"data.split={ dev = 0.0 }"});
  bad.data.train = {"bad.tsv#1", "bad.tsv#2", "bad.tsv#3"};
  expect_says([&] { trained(bad); }, "bad.tsv#3:2: expected 1 (the sentence answers) or 0");
  bad.data.train = {"bad.tsv#1", "bad.tsv#2"};
  expect_says([&] { trained(bad); }, "expected three files");
  std::ofstream(folder_ / "none.tsv") << "q\ta\t0\nq\tb\t0\nr\ta\t0\n";
  bad.data.train = {"none.tsv#1", "none.tsv#2", "none.tsv#3"};
  expect_says([&] { trained(bad); },
              "no examples: 2 of 2 examples left out: no sentence answers the question");
}

constexpr const char* kSpan = R"(
task = "answer"
data = { train = ["p.tsv#1", "p.tsv#2", "p.tsv#3"], split = { dev = 0.15, test = 0.15 } }
batch = { rows = 256 }
[model]
kind = "span"
dropout = 0.0
encoder = { layers = 2, width = 32, hidden = 64, heads = 2, dropout = 0.0, positions = "relative" }
[train]
epochs = 25
watch = "f1"
schedule = { kind = "constant", rate = 3e-3, warmup = 20 }
)";

/// "Ann has two bees, Bob has gold.": what one of them has, if anything.
class TinySpan : public TinyTask<QuestionAnswering> {
 protected:
  TinySpan() : TinyTask(kSpan) {
    const std::vector<std::string> who = {"Ann", "Bob", "Cid", "Dan"};
    const std::vector<std::string> what = {"süßen tea", "gold", "little time", "bees", "wine"};
    std::ofstream file(folder_ / "p.tsv");
    const Draws draws = {.seed = 6};
    for (std::uint64_t q = 0; q < 300; ++q) {
      const auto draw = [&](std::uint64_t i, std::uint32_t n) {
        return draws.below(16 * q + i, n);
      };
      const std::uint32_t one = draw(0, 4), other = (one + 1 + draw(1, 3)) % 4, asked = draw(2, 4);
      std::string answer = "none", passage;
      Dim characters = 0;
      const auto add = [&](const std::string& text, bool marked) {
        const auto begin = characters;
        for (const char c : text) characters += (c & 0xc0) != 0x80;
        if (marked) answer = concat(begin, "-", characters);
        passage += text;
      };
      for (const std::uint32_t person : {one, other}) {
        add(who[person] + " has ", false);
        add(what[draw(3 + person, 5)], person == asked);
        add(person == one ? ", " : ".", false);
      }
      file << "What has " << who[asked] << " today" << q << "?\t" << passage << "\t" << answer
           << "\n";
    }
  }
};

TEST_F(TinySpan, CutsOutAnswersOrFindsNone) {
  const TrainResult result = trained(recipe());
  ASSERT_TRUE(result.best);
  EXPECT_EQ(result.best->name, "f1");
  EXPECT_GT(result.best->value, 85);
  const auto model = runner();
  const std::vector<std::string> lines = {"What has Bob today7?\tBob has süßen tea, Ann has gold.",
                                          "What has Cid today8?\tBob has süßen tea, Ann has gold."};
  const auto answers = model->run(lines, {});
  EXPECT_EQ(answers[0].text, "süßen tea");
  EXPECT_EQ(answers[0].json["begin"], 8);
  EXPECT_EQ(answers[0].json["end"], 17);
  EXPECT_EQ(answers[1].text, "");
  EXPECT_GT(answers[1].json["no_answer"], 0.5);
  const TestResult test = model->test({});
  ASSERT_EQ(test.reports.size(), 6U);
  EXPECT_EQ(test.reports[5].figure.name, "f1, without");
  EXPECT_GT(test.reports[1].figure.value, 80);
  const RunRecord looked = model->record(lines, {}, {})[0];
  EXPECT_EQ(looked.documents[0].sentences[0].words.size(), 9U);
  EXPECT_EQ(maps_of(looked).size(), 4U);  // two layers of two heads
  // So much in favour of none that nothing else is said.
  EXPECT_EQ(runner({"decode.no_answer=1000"})->run(lines, {})[0].text, "");
  expect_refused(*model, {lines[0], "no passage"}, 1);
  expect_says([&] { runner({"decode.longest=-1"}); }, "decode.longest: expected at least 1");
}

TEST_F(TinySpan, ShowsWhatItLearnsToThoseWhoWatch) {
  auto work = this->work(recipe());
  const std::vector<std::string> lines = work.show(7);
  ASSERT_EQ(lines.size(), 2U);
  for (const Json& sample : Json::parse(lines[0])["samples"]) {
    EXPECT_FALSE(sample["output"].get<std::string>().empty());
    EXPECT_FALSE(sample["reference"].get<std::string>().empty()) << "also where none is right";
  }
  EXPECT_EQ(Json::parse(lines[1])["title"], "encoder.1.self mean");
}

TEST_F(TinySpan, WrongLinesAreNamed) {
  AnswerRecipe bad = recipe({"data.split={ dev = 0.0 }"});
  bad.data.train = {"bad.tsv#1", "bad.tsv#2", "bad.tsv#3"};
  for (const char* answer : {"3", "3-", "5-3", "0-9", "none 3", "", "a-b"}) {
    std::ofstream(folder_ / "bad.tsv") << "q\tpassage\t0-7\nq\tpassage\t" << answer << "\n";
    expect_says([&] { trained(bad); }, "bad.tsv#3:2");
  }
}

}  // namespace
}  // namespace fovea
