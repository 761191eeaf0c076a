/// The whole way of tiny language models: a text, tokens, training, folder, writing, pictures.
#include <gtest/gtest.h>

#include <sstream>

#include "fovea/attention/cache.h"
#include "fovea/tasks/cached_stepper.h"
#include "fovea/tasks/language/language_stepper.h"
#include "fovea/tasks/language/language_workload.h"
#include "fovea/tasks/task_testing.h"

namespace fovea {
namespace {

constexpr const char* toml = R"(
task = "language"
data = { train = ["text.txt"], split = { dev = 0.1, test = 0.1 } }
batch = { context = 24, sequences = 16 }
model = { layers = 2, width = 32, hidden = 64, heads = 2, dropout = 0.0 }
train = { steps = 150, validate_every = 50, schedule = { kind = "linear", rate = 1e-2, warmup = 20 } }
decode = { search = "greedy", max_length = 2 }
)";

/// Lines that count from any digit up to 7: "4567". All but the first of a line follows from the
/// one before. Nobody can do better than log(8) / 5.5 = 0.378 nats a character.
class TinyLanguage : public TinyTask<WritingModel, LanguageWorkload> {
 protected:
  TinyLanguage() : TinyTask(toml) {
    std::ofstream out(folder_ / "text.txt");
    const Draws draws = {.seed = 5};
    for (std::uint64_t line = 0; line < 1500; ++line) out << counted(draws.below(line, 8)) << "\n";
  }

  static std::string counted(std::uint32_t first) {
    std::string line;
    for (std::uint32_t i = first; i < 8; ++i) line += static_cast<char>('0' + i);
    return line;
  }

  static std::vector<std::string> texts(const std::vector<Answer>& answers) {
    std::vector<std::string> all;
    for (const Answer& answer : answers) all.push_back(answer.text);
    return all;
  }
};

using Texts = std::vector<std::string>;

TEST_F(TinyLanguage, ATransformerLearnsWritesIsMeasuredAndSeen) {
  const TrainResult result = trained(recipe());
  EXPECT_EQ(result.best->name, "loss");
  EXPECT_LT(result.best->value, 0.45);
  const auto model = runner();
  EXPECT_EQ(texts(model->run(Texts{"345"}, {})), Texts{"34567"});
  EXPECT_EQ(texts(runner({"decode.max_length=3"})->run(Texts{"345", "01"}, {})),
            (Texts{"34567\\n", "01234"}));

  const TestResult test = model->test({});
  ASSERT_EQ(test.reports.size(), 3U);
  EXPECT_LT(test.reports[0].figure.value, 0.45);
  EXPECT_NEAR(test.reports[1].figure.value, std::exp(test.reports[0].figure.value), 1e-9);
  EXPECT_NEAR(test.reports[2].figure.value, test.reports[0].figure.value / std::log(2.0), 1e-9);
  const TestResult slid = runner({"evaluate.stride=6"})->test({});
  EXPECT_NEAR(slid.reports[0].figure.value, test.reports[0].figure.value, 0.02);
  EXPECT_NE(slid.reports[0].figure.value, test.reports[0].figure.value);
  EXPECT_NE(slid.reports[0].signature.find("each 6 after"), std::string::npos);

  const RunRecord looked = model->record(Texts{"345"}, {}, {})[0];
  EXPECT_EQ(looked.output, "6");
  EXPECT_EQ(alignment_map(looked).queries, (Texts{"↵", "3", "4", "5"}));
  EXPECT_EQ(maps_of(looked).size(), 4U);
  EXPECT_EQ(alignment_map(looked).weight(1, 2), 0) << "what follows is not seen";
  const RunRecord joined = model->record(Texts{"345"}, Texts{"67"}, {.words = true})[0];
  EXPECT_EQ(alignment_map(joined).queries, (Texts{"↵34567"}));
}

TEST_F(TinyLanguage, ShowsWhatItLearnsToThoseWhoWatch) {
  auto work = this->work(recipe());
  const std::vector<std::string> lines = work.show(7);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_FALSE(Json::parse(lines[0])["samples"][0]["output"].get<std::string>().empty());
  const Json attention = Json::parse(lines[1]);
  EXPECT_EQ(attention["queries"], attention["keys"]);
}

TEST_F(TinyLanguage, TextsOutgrowTheContext) {
  trained(recipe());
  const auto model = runner({"decode.max_length=200"});
  const std::string text = model->run(Texts{"345"}, {})[0].text;
  EXPECT_EQ(text.size(), 203U);
  std::istringstream lines(text.substr(0, text.rfind('\n')));
  for (std::string line; std::getline(lines, line);) {
    ASSERT_FALSE(line.empty()) << text;
    EXPECT_EQ(line, counted(static_cast<std::uint32_t>(line[0] - '0'))) << text;
  }

  std::string prompt;
  for (std::uint32_t i = 0; i < 6; ++i) prompt += counted(i) + "\n";
  const Answer answer = runner()->run(Texts{prompt + "345"}, {})[0];
  EXPECT_EQ(answer.text, prompt + "34567");
  EXPECT_EQ(answer.note, "the prompt has 42 tokens; the model reads the last 24");
  EXPECT_EQ(answer.json["read"], 24);
  const auto looked = runner()->record(Texts{prompt + "345", "345"}, {}, {});
  EXPECT_TRUE(looked[0].cut);
  EXPECT_FALSE(looked[1].cut);
}

TEST_F(TinyLanguage, WhatIsSampledDependsOnTheSeedAndTheLine) {
  trained(recipe({"train.steps=60"}));
  const auto sampled = [&](const Texts& prompts, const std::string& seed) {
    return texts(runner({"decode.search=\"sample\"", "decode.max_length=60", "decode.seed=" + seed})
                     ->run(prompts, {}));
  };
  const Texts some = sampled({"3", "3"}, "1");
  EXPECT_EQ(sampled({"71", "3"}, "1")[1], some[1]);
  EXPECT_NE(some[0], some[1]);
  EXPECT_NE(sampled({"3", "3"}, "2"), some);
  const auto second = runner({"decode.search=\"sample\"", "decode.max_length=60", "decode.seed=1"})
                          ->run(Texts{"3"}, {.first = 1, .of_many = true});
  EXPECT_EQ(texts(second)[0], some[1]);
  const auto several = runner({"decode.search=\"sample\"", "decode.n_best=3"})->run(Texts{"3"}, {});
  EXPECT_EQ(several[0].json["answers"].size(), 3U);
}

TEST_F(TinyLanguage, StreamsAndStops) {
  trained(recipe());
  const auto model = runner({"decode.stop=[\"\\n\", \"x\"]", "decode.max_length=9"});
  ASSERT_TRUE(model->streams());
  std::string told;
  Dim pieces = 0;
  const RunOptions options = {.on_text = [&](std::string_view piece) { told += piece, ++pieces; }};
  const Answer answer = model->run(Texts{"345"}, options)[0];
  EXPECT_EQ(answer.text, "34567");
  EXPECT_EQ(told, "34567");
  EXPECT_EQ(pieces, 3) << "the prompt, 6 and 7";
  EXPECT_EQ(answer.json["answers"][0]["text"], "67");
  EXPECT_EQ(answer.json["answers"][0]["tokens"], 3);
  EXPECT_EQ(answer.json["answers"][0]["stopped"], true);
  EXPECT_FALSE(runner({"decode.search=\"beam\""})->streams());
  EXPECT_EQ(texts(runner({"decode.search=\"beam\""})->run(Texts{"345"}, {})), Texts{"34567"});
}

TEST_F(TinyLanguage, ARecurrentModelCarriesItsStateAndResumes) {
  const std::vector<std::string> lstm = {"model.family=\"recurrent\"", "model.hidden=32",
                                         "model.layers=1", "train.checkpoint_every=1000"};
  const auto with = [&](const std::string& setting) {
    auto all = lstm;
    all.push_back(setting);
    return recipe(all);
  };
  EXPECT_LT(trained(with("batch.context=12")).best->value, 0.45);
  EXPECT_EQ(texts(runner()->run(Texts{"345"}, {})), Texts{"34567"});
  const auto weights = [&](Dim steps, const std::string& run, bool resume) {
    LanguageRecipe one = with(concat("train.steps=", steps));
    one.train.schedule = {.kind = ScheduleKind::constant, .rate = 1e-2, .warmup = 1};
    auto work = this->work(one, run, resume);
    train(work, one.train, {.folder = folder_ / run, .resume = resume, .quiet = true});
    std::vector<Tensor> all;
    for (const Parameter& p : work.params().all()) all.push_back(p.var.value().clone());
    return all;
  };
  const auto straight = weights(20, "straight", false);
  weights(9, "broken", false);  // in the middle of an epoch
  const auto resumed = weights(20, "broken", true);
  ASSERT_EQ(straight.size(), resumed.size());
  for (std::size_t i = 0; i < straight.size(); ++i) {
    EXPECT_TRUE(identical(straight[i], resumed[i])) << i;
  }
  EXPECT_EQ(runner({"evaluate.streams=1"})->test({}).reports.size(), 3U);
  expect_says([&] { runner()->record(Texts{"345"}, {}, {}); }, "no attention");
}

TEST_F(TinyLanguage, SaysWhatIsWrong) {
  trained(recipe({"train.steps=2"}));
  expect_says(
      [&] {
        runner()->run(inputs_of(Texts{"3"}, {{"prefix", "4"}}), {});
      },
      "no option \"prefix\"");
  expect_says([&] { runner({"decode.stop=[\"\"]"})->run(Texts{"3"}, {}); }, "decode.stop");
  std::string told;
  const RunOptions telling = {.on_text = [&](std::string_view piece) { told += piece; }};
  expect_says([&] { runner({"decode.stop=[\"\"]"})->run(Texts{"3"}, telling); }, "decode.stop");
  expect_says([&] { runner({"decode.top_p=2"})->run(Texts{"3"}, telling); }, "top_p");
  EXPECT_EQ(told, "") << "settings are checked before anything is told";
  expect_says([&] { runner()->live(); }, "live");
  expect_says([&] { runner({"model.vocabulary=9"}); }, "text.json");
  std::ofstream(folder_ / "empty.txt") << "";
  expect_says([&] { runner()->test({.files = {"empty.txt"}, .base = folder_}); }, "empty.txt");
  expect_says([&] { trained(recipe({"data.split={ dev = 0.6, test = 0.6 }"}), "split"); },
              "data.split");
  expect_says(
      [&] {
        trained(recipe({"train.steps=2", "evaluate.stride=25"}), "stride");
      },
      "stride");
  EXPECT_EQ(runner()->run(Texts{""}, {})[0].text.size(), 2U) << "from the end of a line on";
  EXPECT_EQ(runner()->run(Texts{"ß"}, {})[0].text.size(), 4U) << "what is unknown is read as such";
}

TEST_F(TinyLanguage, SettingsThatMakeNoSenseAreRefusedBeforeTraining) {
  const auto refuses = [&](const std::vector<std::string>& settings, std::string_view part) {
    expect_says([&] { work(recipe(settings)); }, part);
  };
  refuses({"decode.search=beam", "decode.beam=1", "decode.n_best=4"}, "does not hold the 4 best");
  refuses({"decode.stop=[\"\"]"}, "decode.stop");
  refuses({"decode.search=beam", "decode.stop=[\"x\"]"}, "decode.stop");
  refuses({"evaluate.stride=-1"}, "evaluate.stride: expected 1 to batch.context = 24");
  refuses({"evaluate.streams=0"}, "evaluate.streams: expected at least 1, found 0");
}

TEST_F(TinyLanguage, ModelsOfBeforeItsBiasWasASettingHaveIt) {
  const auto has_bias = [](const Params& params) { return params.find("out.bias") != nullptr; };
  trained(recipe({"train.steps=2", "model.out_bias=true"}));
  const Texts before = texts(runner()->run(Texts{"345"}, {}));
  Json config = parse_json_file(folder_ / "run" / "config.json");
  config["model"].erase("out_bias");
  std::ofstream(folder_ / "run" / "config.json") << config.dump();
  EXPECT_TRUE(has_bias(*load_model<WritingModel>(folder_ / "run").params));
  EXPECT_EQ(texts(runner()->run(Texts{"345"}, {})), before);
  auto resumed = work(recipe({"train.steps=4"}), "run", true);
  EXPECT_TRUE(has_bias(resumed.params()));

  trained(recipe({"train.steps=2"}), "without");
  EXPECT_FALSE(has_bias(*load_model<WritingModel>(folder_ / "without").params));
}

TEST(LanguageStepper, OutgrownTextsAreReadAnewAlone) {
  LanguageModelConfig config;
  config.vocabulary = 9, config.layers = 1, config.width = 8, config.hidden = 8, config.heads = 2;
  config.longest = 6;
  Params params(3);
  const LanguageModel model(params.scope(), config);
  LanguageStepper stepper(model, 2, 6);
  const auto whole = [&](const Ids& ids) {
    const NoTape no_tape;
    const Sequences rows = joined(std::span(&ids, 1));
    return model.out.logits(last_rows(model(rows, {}), rows.segments)).value();
  };
  const auto step = [&](const std::vector<Ids>& next) { return stepper.step(joined(next)); };
  Tensor logits = step({{1, 2, 3, 4, 5}, {7, 8, 7, 8, 7, 8, 1}});
  EXPECT_TRUE(identical(logits.slice(0, 1), whole({1, 2, 3, 4, 5})));
  EXPECT_TRUE(identical(logits.slice(1, 2), whole({8, 7, 8, 7, 8, 1}))) << "the last six";
  logits = step({{6}, {2}});
  EXPECT_TRUE(identical(logits.slice(0, 1), whole({1, 2, 3, 4, 5, 6})));
  EXPECT_TRUE(identical(logits.slice(1, 2), whole({8, 1, 2}))) << "the latest half";
  stepper.select(std::vector<Dim>{1});
  logits = step({{3}});
  EXPECT_TRUE(identical(logits, whole({8, 1, 2, 3})));
}

}  // namespace
}  // namespace fovea
