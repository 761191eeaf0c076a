/// The whole way of a tiny ELMo: files, words, letters, training, folder, features.
#include <algorithm>
#include <cmath>

#include "fovea/tasks/elmo/elmo.h"
#include "fovea/tasks/task_testing.h"

namespace fovea {
namespace {

constexpr const char* kElmo = R"(
task = "elmo"
data = { train = ["text.txt"], split = { dev = 0.1, test = 0.1 } }
words = { kind = "words", vocabulary = 0 }
batch = { rows = 256 }
[model]
letter_width = 8
letter_windows = [1, 2]
letter_filters = 8
projection = 16
hidden = 24
dropout = 0.0
[train]
epochs = 12
watch = "loss"
schedule = { kind = "constant", rate = 1e-2, warmup = 10 }
)";

/// Subjects, verbs and objects, of which each tells its neighbour: the cat drinks milk, a bee finds
/// honey.
class TinyElmo : public TinyTask<ElmoModel> {
 protected:
  TinyElmo() : TinyTask(kElmo) {
    const std::vector<std::string> clauses = {"the cat drinks milk", "a bee finds honey",
                                              "one dog eats meat"};
    std::ofstream file(folder_ / "text.txt");
    const Draws draws = {.seed = 5};
    for (std::uint64_t line = 0; line < 300; ++line) {
      for (std::uint64_t i = 0; i < 3; ++i) {
        file << (i == 0 ? "" : " , ") << clauses[draws.below(3 * line + i, 3)];
      }
      file << "\n";
    }
  }
};

TEST_F(TinyElmo, ForeseesWordsFromBothEndsAndGivesFeatures) {
  const TrainResult result = trained(recipe());
  ASSERT_TRUE(result.best);
  // Of the 15 tokens of a line three are one of three; the rest follows.
  EXPECT_LT(result.best->value, 3 * std::log(3.0) / 15 + 0.1);
  const auto model = runner();
  const TestResult test = model->test({});
  ASSERT_EQ(test.reports.size(), 2U);
  EXPECT_EQ(test.reports[1].figure.name, "perplexity.backward");
  EXPECT_LT(test.reports[1].figure.value, 1.5);
  const std::vector<std::string> lines = {"the cat drinks milk", "the cat finds meat"};
  const auto answers = model->run(lines, {});
  EXPECT_LT(answers[0].json["forward"].get<double>(), answers[1].json["forward"].get<double>());
  const RunRecord looked = model->record(lines, {}, {})[1];
  ASSERT_EQ(looked.documents.size(), 2U);
  const std::vector<float>& before = looked.documents[0].sentences[0].weights;
  ASSERT_EQ(before.size(), 4U);
  EXPECT_GT(before[2], 3 * before[1]);  // "finds" after "cat"

  const ElmoModel elmo = load_model<ElmoModel>(folder_ / "run");
  const std::vector<std::string> cat = {"the", "cat"}, zebra = {"zebra"};
  const std::vector<ElmoExample> texts = {elmo.encode(cat), elmo.encode({}), elmo.encode(zebra)};
  const std::vector<Tensor> features = elmo.features(texts);
  ASSERT_EQ(features.size(), 3U);  // letters and two layers
  EXPECT_EQ(features[2].shape(), (Shape{3, 32}));
  const Batch<ElmoExample> alone = std::span(texts).last(1);
  EXPECT_TRUE(identical(features[1].slice(2, 3).clone(), elmo.features(alone)[1]));
}

TEST_F(TinyElmo, ShowsWhatItLearnsToThoseWhoWatch) {
  auto work = this->work(recipe());
  train(work, recipe().train, {.folder = folder_ / "run", .quiet = true});
  const std::vector<std::string> lines = work.show(7);
  ASSERT_EQ(lines.size(), 1U) << "it looks at nothing";
  for (const Json& sample : Json::parse(lines[0])["samples"]) {
    const auto input = sample["input"].get<std::string>();
    EXPECT_EQ(std::count(input.begin(), input.end(), ' '), 6) << input;  // seven of 14 words
    EXPECT_EQ(sample["output"], sample["reference"]) << "a subject tells its verb";
  }
}

TEST_F(TinyElmo, SaysWhatIsWrong) {
  ElmoRecipe bad = recipe();
  bad.data.train = {"text.txt", "text.txt"};
  expect_says([&] { trained(bad); }, "one file of text");
  expect_says([&] { trained(recipe({"words.kind=bpe"})); }, "words.kind");
}

}  // namespace
}  // namespace fovea
