/// The whole way of tiny models that make vectors of texts.
#include <gtest/gtest.h>

#include <algorithm>

#include "fovea/tasks/embed/embed.h"
#include "fovea/tasks/task_testing.h"

namespace fovea {
namespace {

constexpr const char* toml = R"(
task = "embed"
data = { train = ["pairs.tsv#1", "pairs.tsv#2"], split = { test = 0.2 } }
words = { kind = "words", vocabulary = 0, lowercase = true }
batch = { rows = 128 }
model = { encoder = { layers = 1, width = 32, hidden = 32, heads = 2, dropout = 0.0 } }
train = { epochs = 30, watch = "accuracy", schedule = { kind = "constant", rate = 1e-2, warmup = 10 } }
)";

/// Who does what, in English and in German.
class TinyPairs : public TinyTask<Embed> {
 protected:
  TinyPairs() : TinyTask(toml) {
    const std::vector<std::vector<std::string>> who = {
        {"dog", "Hund"}, {"cat", "Katze"}, {"horse", "Pferd"}, {"duck", "Ente"}, {"man", "Mann"}};
    const std::vector<std::vector<std::string>> what = {
        {"sleeps", "schläft"}, {"runs", "läuft"}, {"eats", "frisst"}, {"sings", "singt"}};
    const std::vector<std::vector<std::string>> where = {
        {"here", "hier"}, {"there", "dort"}, {"outside", "draußen"}};
    std::ofstream pairs(folder_ / "pairs.tsv"), german(folder_ / "german.txt");
    for (const auto& a : who) {
      for (const auto& b : what) {
        for (const auto& c : where) {
          pairs << a[0] << " " << b[0] << " " << c[0] << "\t" << c[1] << " " << b[1] << " " << a[1]
                << "\n";
          german << c[1] << " " << b[1] << " " << a[1] << "\n";
        }
      }
    }
  }
};

TEST_F(TinyPairs, FindsTheOtherHalf) {
  trained(recipe());
  const auto run = runner();
  EXPECT_GT(run->test({}).reports[0].figure.value, 80);

  const std::vector<std::string> lines = {"duck sings there", "horse eats here"};
  const auto vectors = run->run(lines, {});
  ASSERT_EQ(vectors[0].json["vector"].size(), 32U);
  const auto found =
      run->run(inputs_of(lines, {{"nearest", (folder_ / "german.txt").string()}}), {});
  EXPECT_EQ(found[0].json["nearest"][0]["text"], "dort singt Ente");
  EXPECT_EQ(found[1].json["nearest"][0]["text"], "hier frisst Pferd");
  EXPECT_EQ(found[1].json["nearest"].size(), 5U);
  EXPECT_NE(found[0].text.find("\tdort singt Ente"), std::string::npos);

  const RunRecord looked = run->record(std::span(lines).first(1), {}, {})[0];
  EXPECT_EQ(looked.documents[0].sentences[0].words,
            (std::vector<std::string>{"<s>", "duck", "sings", "there", "</s>"}));
}

TEST_F(TinyPairs, SchedulesKnowTheWidthOfTheModelThatItBeginsWith) {
  trained(recipe({"train.epochs=1"}));
  EXPECT_EQ(work(recipe({"model={ from = \"run\" }"}), "tuned").model_width(), 32);
}

TEST_F(TinyPairs, IsChosenByWhatIsFound) {
  const TrainResult result = trained(recipe({"data.split={ dev = 0.2 }"}));
  EXPECT_EQ(result.best->name, "accuracy");
  EXPECT_GT(result.best->value, 90);
}

TEST_F(TinyPairs, ShowsWhatItLearnsToThoseWhoWatch) {
  auto work = this->work(recipe({"data.split={ dev = 0.2 }"}));
  const std::vector<std::string> lines = work.show(7);
  ASSERT_EQ(lines.size(), 2U);
  const Json samples = Json::parse(lines[0])["samples"];
  ASSERT_EQ(samples.size(), 3U);
  for (const char* name : {"input", "output", "reference"}) {
    const auto text = samples[0][name].get<std::string>();
    EXPECT_EQ(std::count(text.begin(), text.end(), ' '), 2) << text;
  }
  const Json attention = Json::parse(lines[1]);
  EXPECT_EQ(attention["queries"].size(), 5U) << "three words and the marks";
  EXPECT_EQ(this->work(recipe(), "all").show(7).size(), 2U) << "without dev, of the training set";
}

TEST_F(TinyPairs, TellsWhatIsWrong) {
  expect_says([&] { trained(recipe({"data.train=[\"pairs.tsv#1\"]"})); }, "expected two files");
  expect_says([&] { trained(recipe({"model.temperature=0.0"})); }, "model.temperature");
  std::ofstream(folder_ / "none.txt");
  trained(recipe({"train.epochs=1"}));
  std::vector<Input> inputs = {{.text = "dog"}};
  inputs[0].fields["nearest"] = (folder_ / "none.txt").string();
  expect_says([&] { runner()->run(inputs, {}); }, "no lines");
  inputs[0].fields = {{"nearst", "german.txt"}};
  expect_says([&] { runner()->run(inputs, {}); }, "nearest");
}

TEST(Nearest, AreSortedAndOfEqualsTheFirstComesFirst) {
  const Tensor asked = Tensor::of<float>({1, 2}, {1, 0});
  const Tensor among = Tensor::of<float>({4, 2}, {0, 1, 0.6F, 0.8F, 0.6F, -0.8F, -1, 0});
  const auto found = nearest(asked, among, 3)[0];
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].row, 1);
  EXPECT_EQ(found[1].row, 2);
  EXPECT_EQ(found[2].row, 0);
  EXPECT_NEAR(found[0].likeness, 0.6, 1e-6);
}

}  // namespace
}  // namespace fovea
