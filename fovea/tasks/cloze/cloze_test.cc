/// The whole way of tiny models that fill blanks: files, words, training, folder, answers,
/// pictures.
#include <gtest/gtest.h>

#include "fovea/tasks/cloze/cloze.h"
#include "fovea/tasks/task_testing.h"

namespace fovea {
namespace {

constexpr const char* toml = R"(
task = "cloze"
data = { train = ["all.tsv#1", "all.tsv#2", "all.tsv#3"], split = { dev = 0.1, test = 0.1 } }
words = { kind = "words", vocabulary = 0, lowercase = true }
batch = { rows = 256 }
model = { width = 16, hidden = 16, dropout = 0.0 }
train = { epochs = 16, schedule = { kind = "constant", rate = 1e-2, warmup = 1 } }
)";

/// Three people like something each; the question asks what one of them likes. Only the document
/// knows, so that a model must find the person and point at the word after the next.
class TinyCloze : public TinyTask<Cloze> {
 protected:
  TinyCloze() : TinyTask(toml) {
    std::ofstream out(folder_ / "all.tsv");
    const std::vector<std::string> people = {"Anna", "Bob", "Carl", "Dora"};
    const std::vector<std::string> things = {"tea", "fish", "rain", "gold", "jazz"};
    const Draws draws = {.seed = 5};
    for (std::uint64_t line = 0; line < 600; ++line) {
      const auto draw = [&](std::uint64_t i, std::uint32_t n) {
        return draws.below(8 * line + i, n);
      };
      const std::uint32_t first = draw(0, 4), asked = draw(1, 3);
      std::string document, question, answer;
      for (std::uint32_t k = 0; k < 3; ++k) {
        const std::string& person = people[(first + k) % 4];
        const std::string& thing = things[draw(2 + k, 5)];
        document += concat(k == 0 ? "" : " ", person, " likes ", thing, " .");
        if (k != asked) continue;
        question = person + " likes @placeholder";
        answer = thing;
      }
      out << document << "\t" << question << "\t" << answer << "\n";
    }
  }
};

const std::vector<std::string> kLines = {
    "Bob likes tea . Carl likes gold . Dora likes rain .\tCarl likes @placeholder",
    "Anna likes fish . Bob likes jazz . Carl likes jazz .\tAnna likes @placeholder"};

TEST_F(TinyCloze, AttentionOverAttentionLearnsAnswersIsMeasuredAndSeen) {
  const TrainResult result = trained(recipe());
  EXPECT_EQ(result.best->name, "loss");
  EXPECT_LT(result.best->value, 0.1) << "a guess among three things has about 1.1";
  const auto runner = Runner::load(folder_ / "run");
  const auto answers = runner->run(kLines, {});
  EXPECT_EQ(answers[0].text, "gold");
  EXPECT_EQ(answers[1].text, "fish");
  EXPECT_EQ(answers[0].json["answers"][0]["text"], "gold");
  EXPECT_GT(answers[0].json["answers"][0]["probability"], 0.8);

  const TestResult test = runner->test({});
  ASSERT_EQ(test.reports.size(), 1U);
  EXPECT_EQ(test.reports[0].figure.name, "accuracy");
  EXPECT_GT(test.reports[0].figure.value, 95);
  EXPECT_NE(test.reports[0].text.find(concat(" of ", test.answers.size(), ")")), std::string::npos)
      << test.reports[0].text;

  const RunRecord looked = runner->record(std::span(kLines).first(1), {}, {})[0];
  EXPECT_EQ(looked.output, "gold");
  EXPECT_EQ(alignment_map(looked).queries,
            (std::vector<std::string>{"carl", "likes", "@placeholder"}));
  EXPECT_EQ(alignment_map(looked).keys.size(), 12U);
  EXPECT_EQ(maps_of(looked).size(), 3U);
  ASSERT_EQ(looked.documents.size(), 1U);
  const DocumentHeat::Sentence& shaded = looked.documents[0].sentences[0];
  EXPECT_EQ(shaded.words[6], "gold");
  EXPECT_GT(shaded.weights[6], 0.8);
  EXPECT_EQ(shaded.weights[1], shaded.weights[5]) << "both are 'likes'";
}

TEST_F(TinyCloze, ShowsWhatItLearnsToThoseWhoWatch) {
  auto work = this->work(recipe());
  const std::vector<std::string> lines = work.show(7);
  ASSERT_EQ(lines.size(), 2U);
  const Json samples = Json::parse(lines[0])["samples"];
  ASSERT_EQ(samples.size(), 3U);
  EXPECT_NE(samples[0]["input"].get<std::string>().find("likes @placeholder"), std::string::npos);
  EXPECT_FALSE(samples[0]["output"].get<std::string>().empty());
  EXPECT_FALSE(samples[0]["reference"].get<std::string>().empty());
  const Json attention = Json::parse(lines[1]);
  EXPECT_EQ(attention["queries"].back(), "@placeholder");
  EXPECT_EQ(attention["keys"].size(), 12U);
  const std::vector<std::string> all_learns = {"data.split={ dev = 0 }"};
  EXPECT_EQ(this->work(recipe(all_learns), "all").show(7).size(), 2U)
      << "without a validation set, of the training set";
}

TEST_F(TinyCloze, AttentionSumLearns) {
  EXPECT_LT(trained(recipe({"model.family=\"attention-sum\""})).best->value, 0.1);
  const auto runner = Runner::load(folder_ / "run");
  EXPECT_EQ(runner->run(kLines, {})[0].text, "gold");
  const RunRecord looked = runner->record(std::span(kLines).first(1), {}, {})[0];
  EXPECT_EQ(alignment_map(looked).queries, std::vector<std::string>{"@placeholder"});
}

TEST_F(TinyCloze, UnknownWordsStayApartAndLongDocumentsAreCut) {
  const auto work = this->work(recipe({"data.longest=4"}));
  const Cloze& cloze = work.task();
  const auto query = [&](const std::string& document) {
    return cloze.parse({.text = document + "\t@placeholder"});
  };
  const ClozeQuery text = query("Zork zonk zork tea gold");
  EXPECT_EQ(text.example.document, (Ids{0, 0, 0, cloze.words.encode("tea")[0]}));
  EXPECT_EQ(text.example.same, (Ids{0, 1, 0, 3}));
  EXPECT_TRUE(query("a b c d e").cut);
  EXPECT_FALSE(query("a b c d").cut);
  EXPECT_TRUE(cloze.record(query("a b c d e"), {}).cut);
  EXPECT_FALSE(cloze.record(query("a b c d"), {}).cut);
}

TEST_F(TinyCloze, ASessionAnswersInTurnsOfSoManyRows) {
  trained(recipe({"train.epochs=1"}));
  const auto runner = this->runner();
  const auto session = runner->session();
  std::vector<WriteRequest> requests;
  for (Dim key = 0; key < 5; ++key) {
    WriteRequest& request = requests.emplace_back();
    request.key = key;
    request.prepared = runner->prepare({.text = kLines[static_cast<std::size_t>(key % 2)]});
  }
  const Dim rows = requests[0].prepared->rows;
  EXPECT_GT(rows, 10);
  EXPECT_TRUE(session->admit(std::move(requests)).empty());
  EXPECT_EQ(session->rows(), 5 * rows);
  session->drop([](Dim key) { return key == 1; });
  const auto first = session->step(2 * rows);
  ASSERT_EQ(first.size(), 2U) << "as many as fit";
  EXPECT_EQ(first[1].key, 2);
  EXPECT_EQ(first[0].answer->json, runner->run(kLines, {})[0].json);
  EXPECT_EQ(session->step(1).size(), 1U) << "one at least";
  EXPECT_EQ(session->step(1000).size(), 1U);
  EXPECT_TRUE(session->empty());
  EXPECT_EQ(session->rows(), 0);
  expect_says([&] { runner->prepare({.text = "no tab"}); }, "a tab");
}

TEST(Cloze, WordsAreRankedByTheSumOfTheirPlaces) {
  const std::vector<float> pointed = {0.25, 0.125, 0.25, 0.375};
  const auto words = ranked(pointed, Ids{0, 1, 0, 3});
  ASSERT_EQ(words.size(), 3U);
  EXPECT_EQ(words[0].place, 0);
  EXPECT_EQ(words[0].probability, 0.5);
  EXPECT_EQ(words[1].place, 3);
  EXPECT_EQ(words[2].place, 1);
}

TEST_F(TinyCloze, SaysWhatIsWrong) {
  trained(recipe({"train.epochs=1"}));
  const auto runner = Runner::load(folder_ / "run");
  const std::vector<std::string> no_tab = {"Bob likes tea"},
                                 no_blank = {"Bob likes tea\tBob likes"},
                                 nothing = {" \tBob likes @placeholder"},
                                 blanks = {"\u00a0\u3000\tBob likes @placeholder"};
  expect_says([&] { runner->run(no_tab, {}); }, "a tab and a question");
  expect_says([&] { runner->run(no_blank, {}); }, "@placeholder");
  expect_says([&] { runner->run(nothing, {}); }, "no words");
  expect_says([&] { runner->run(blanks, {}); }, "no words");
  expect_says([&] { runner->record(blanks, {}, {}); }, "no words");
  expect_refused(*runner, {"Bob likes tea\tBob likes @placeholder", no_tab[0]}, 1);
  expect_says([&] { runner->live(); }, "live");
  expect_says([&] { trained(recipe({"words.kind=\"bpe\""})); }, "words.kind");
  expect_says([&] { trained(recipe({"data.train=[\"all.tsv#1\", \"all.tsv#2\"]"})); },
              "three files");
  std::ofstream(folder_ / "bad.tsv") << "a b\twhat is it\ta\n";
  expect_says(
      [&] {
        trained(recipe({"data.train=[\"bad.tsv#1\", \"bad.tsv#2\", \"bad.tsv#3\"]",
                        "data.split={ dev = 0, test = 0 }"}));
      },
      "bad.tsv#1:1: the question has no @placeholder");
}

}  // namespace
}  // namespace fovea
