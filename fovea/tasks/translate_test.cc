/// The whole way of a tiny model: files, tokenizers, training, its folder, translations.
#include "fovea/tasks/translate.h"

#include <gtest/gtest.h>

#include "fovea/decode/score.h"
#include "fovea/tasks/live_translation.h"
#include "fovea/tasks/task_testing.h"
#include "fovea/tasks/translate_workload.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

constexpr const char* toml = R"(
task = "translate"
data = { train = ["train.en", "train.de"], split = { dev = 0.1, test = 0.1 } }
batch = { rows = 256 }
decode = { beam = 2 }
evaluate = { metrics = ["bleu", "wer"] }
[text]
joint = false
source = { kind = "words" }
target = { kind = "words" }
[model]
encoder_layers = 2
decoder_layers = 2
width = 32
heads = 2
hidden = 64
norm = "pre"
dropout = 0.0
[train]
epochs = 16
clip = 1.0
schedule = { kind = "linear", rate = 5e-3, warmup = 20 }
)";

/// A language of five words that is translated word by word, and its files.
class Tiny : public TinyTask<TranslateRecipe, TranslateWorkload> {
 protected:
  Tiny() : TinyTask(toml) {
    const std::vector<std::string> from = {"one", "two", "three", "four", "five"};
    const std::vector<std::string> to = {"eins", "zwei", "drei", "vier", "fünf"};
    std::ofstream sources(folder_ / "train.en"), targets(folder_ / "train.de"),
        backwards(folder_ / "train.ed"), links(folder_ / "train.links");
    const Draws draws = {.seed = 5};
    for (std::uint64_t line = 0; line < 600; ++line) {
      const std::uint32_t length = 1 + draws.below(8 * line, 4);
      std::string source, target, backward, link;
      for (std::uint32_t i = 0; i < length; ++i) {
        const std::uint32_t word = draws.below(8 * line + 1 + i, 5);
        const std::string space = i == 0 ? "" : " ";
        source += space + from[word];
        target += space + to[word];
        backward = to[word] + space + backward;
        link += space + concat(i, "-", i);
      }
      sources << source << "\n";
      targets << target << "\n";
      backwards << backward << "\n";
      links << link << "\n";
    }
  }
};

std::string bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_F(Tiny, LearnsFromFilesAndTranslatesFromItsFolder) {
  const TrainResult result = trained(recipe());
  ASSERT_TRUE(result.best);
  const TranslationModel model = TranslationModel::load(folder_ / "run");
  const std::vector<std::string> lines = {"two one", "", "three", "five four three two"};
  const auto all = translate(model, lines, {.decode = model.recipe.decode});
  EXPECT_EQ(best_of(all),
            (std::vector<std::string>{"zwei eins", "", "drei", "fünf vier drei zwei"}));

  TranslateOptions forced{.decode = model.recipe.decode, .prefix = "eins"};
  EXPECT_EQ(
      translate(model, std::vector<std::string>{"two one"}, forced)[0][0].text.rfind("eins", 0),
      0U);

  const auto runner = Runner::load(folder_ / "run", {"decode.n_best=2"});
  const TestResult test = runner->test({});
  EXPECT_LT(test.reports[1].figure.value, 50);  // lines of words never seen together, in percent
  EXPECT_EQ(runner->run(lines, {})[0].json["answers"].size(), 2U);
}

// The families beside the Transformer share everything else with it.
TEST_F(Tiny, RecurrentModelsDoTheSame) {
  const auto with = [&](const char* model, Dim epochs) {
    TranslateRecipe r = recipe({concat("train.epochs=", epochs)});
    read_config(parse_toml(model, "test"), r.model);
    return r;
  };
  const TranslateRecipe bahdanau = with(R"(
family = "recurrent"
embedding = 32
hidden = 32
dropout = 0.0)",
                                        14);
  const TranslateRecipe luong = with(R"(
family = "recurrent"
cell = "lstm"
embedding = 32
hidden = 32
dropout = 0.0
read = "feed"
attention = { score = "general", reach = "local-p", window = 2 })",
                                     14);
  const TranslateRecipe hard = with(R"(
family = "recurrent"
embedding = 32
hidden = 32
dropout = 0.0
attention = { allocate = "hard" })",
                                    20);
  const std::vector<std::string> lines = {"two one", "", "three", "five four three two"};
  for (const TranslateRecipe& r : {bahdanau, luong, hard}) {
    fs::remove_all(folder_ / "run");
    trained(r);
    const auto runner = Runner::load(folder_ / "run", {"decode.coverage_penalty=0.2"});
    const std::vector<Answer> answers = runner->run(lines, {});
    EXPECT_EQ(answers[0].text, "zwei eins");
    EXPECT_EQ(answers[3].text, "fünf vier drei zwei");
    const RunRecord looked = runner->record(lines, {}, {.words = true})[0];
    EXPECT_EQ(alignment_map(looked).keys.size(), 3U);
    EXPECT_EQ(maps_of(looked).size(), 1U);
    ASSERT_EQ(looked.samples.size(), r.model.hard() ? 1U : 0U);
    if (r.model.hard()) {
      EXPECT_EQ(looked.samples[0].layer, "decoder.cross");
      EXPECT_EQ(looked.samples[0].keys.size(), 3U);  // one for each target
    }
    EXPECT_THROW(runner->live(), Error);
  }
}

TEST_F(Tiny, AModelWithoutAttentionSaysSo) {
  TranslateRecipe r = recipe({"train.epochs=1"});
  read_config(parse_toml(R"(
family = "recurrent"
embedding = 8
hidden = 8
attention = { score = "none" })",
                         "test"),
              r.model);
  trained(r);
  const std::vector<std::string> lines = {"two one"};
  const auto runner = Runner::load(folder_ / "run");
  EXPECT_EQ(runner->run(lines, {}).size(), 1U);
  EXPECT_THROW(runner->record(lines, {}, {.words = true}), Error);
  EXPECT_THROW(Runner::load(folder_ / "run", {"decode.coverage_penalty=0.2"})->run(lines, {}),
               Error);
}

TEST_F(Tiny, AUniversalTransformerShowsItsSteps) {
  TranslateRecipe with = recipe({"train.epochs=24"});
  read_config(parse_toml(R"(
family = "universal"
steps = 3
width = 32
heads = 2
hidden = 64
offset = 2
dropout = 0.0)",
                         "test"),
              with.model);
  const TrainResult result = trained(with, folder_ / "run");
  ASSERT_TRUE(result.best);
  const auto runner = Runner::load(folder_ / "run");
  const std::vector<std::string> lines = {"two one", "five four three two"};
  const std::vector<Answer> answers = runner->run(lines, {});
  EXPECT_EQ(answers[0].text, "zwei eins");
  EXPECT_EQ(answers[1].text, "fünf vier drei zwei");
  const RunRecord looked = runner->record(lines, {}, {.words = true})[0];
  // three steps of two heads in three places, halting of both sides
  EXPECT_EQ(maps_of(looked).size(), 20U);
  const AttentionMap halting = map_of(looked, "decoder.halting");
  EXPECT_EQ(halting.keys, (std::vector<std::string>{"step 1", "step 2", "step 3"}));
  ASSERT_EQ(looked.halting.size(), 2U);
  EXPECT_EQ(looked.halting[0].sequence, "source");
  ASSERT_EQ(looked.halting[0].steps.size(), 3U);  // two words and the end
  for (const float steps : looked.halting[1].steps) EXPECT_TRUE(steps >= 1 && steps <= 3);
  const RunRecord few = runner->record(lines, {}, {.layers = "decoder.*cross", .heads = {1}})[0];
  EXPECT_EQ(maps_of(few).size(), 3U);
  EXPECT_EQ(few.halting.size(), 2U) << "told whatever layers are kept";
}

TEST_F(Tiny, ConvolutionsLearnToWriteBackwards) {
  TranslateRecipe with = recipe({"train.epochs=20", "objective.smoothing=0"});
  with.data.train = {"train.en", "train.ed"};
  with.model.family = TranslateModel::Family::convolutional;
  ConvolutionalConfig& net = with.model.convolutional;
  net.encoder_layers = net.decoder_layers = 2;
  net.width = net.hidden = 32;
  net.dropout = 0;
  with.train.watch = "loss";
  const TrainResult result = trained(with);
  ASSERT_TRUE(result.best);
  EXPECT_LT(result.best->value, 0.1);  // nats a word
  const auto runner = Runner::load(folder_ / "run", {"decode.search=greedy"});
  const std::vector<std::string> lines = {"two one five"}, answers = {"fünf eins zwei"};
  const Json found = runner->run(lines, {})[0].json["answers"];
  EXPECT_EQ(found[0]["text"], answers[0]) << found;
  const TranslationModel model = TranslationModel::load(folder_ / "run");
  const IdPair pair{model.encode_source(lines[0]), model.target.encode(answers[0])};
  EXPECT_NEAR(log_probabilities(model, std::span(&pair, 1), false)[0],
              found[0]["log_probability"].get<double>(), 1e-5);
  const RunRecord looked = runner->record(lines, answers, {.words = true})[0];
  ASSERT_EQ(maps_of(looked).size(), 2U);  // a layer each
  EXPECT_TRUE(maps_of(looked)[0].title.starts_with("decoder.0.cross")) << maps_of(looked)[0].title;
}

TEST_F(Tiny, LinesCanBeJoined) {
  TranslateRecipe r = recipe({"data.join=4"});
  TestSet one = read_test_set(recipe().data, Part::test, folder_, false);
  TestSet four = read_test_set(r.data, Part::test, folder_, false);
  EXPECT_EQ(four.sources.size(), (one.sources.size() + 3) / 4);
  EXPECT_EQ(four.sources[0],
            one.sources[0] + " " + one.sources[1] + " " + one.sources[2] + " " + one.sources[3]);
  EXPECT_EQ(four.references[0][0].rfind(one.references[0][0] + " " + one.references[1][0], 0), 0U);
  r.data.join = 0;
  EXPECT_THROW(read_test_set(r.data, Part::test, folder_, false), Error);
}

TEST_F(Tiny, OrderAndNeighboursChangeNothing) {
  trained(recipe({"train.epochs=1"}));
  const TranslationModel model = TranslationModel::load(folder_ / "run");
  const std::vector<std::string> lines = {"two one", "three", "five four three two", "one"};
  for (const char* search : {"greedy", "beam", "sample"}) {
    TranslateDecode decode = model.recipe.decode;
    read_config(Json{{"search", search}, {"beam", 3}, {"n_best", 2}}, decode);
    const auto together = translate(model, lines, {.decode = decode});
    const auto apart = translate(model, lines, {.decode = decode, .rows = 1});
    for (std::size_t i = 0; i < lines.size(); ++i) {
      ASSERT_EQ(together[i].size(), apart[i].size());
      for (std::size_t n = 0; n < apart[i].size(); ++n) {
        EXPECT_EQ(together[i][n].ids, apart[i][n].ids) << search;
        EXPECT_EQ(together[i][n].score, apart[i][n].score) << search;
      }
    }
  }
}

TEST_F(Tiny, TellsWhatIsLeftOutOfTraining) {
  std::ofstream(folder_ / "some.en") << "one\n\none two\none two three\none\none two three\n";
  std::ofstream(folder_ / "some.de") << "eins\nzwei\neins\neins zwei drei\n\neins\n";
  const auto notes = [&](const std::vector<std::string>& more) {
    std::vector<std::string> settings = {"data.train=[\"some.en\", \"some.de\"]",
                                         "data.split={ dev = 0, test = 0 }"};
    settings.insert(settings.end(), more.begin(), more.end());
    return TranslateWorkload(recipe(settings), folder_, folder_ / "run", false).notes();
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

TEST_F(Tiny, RefusesTheTokenizerOfAnotherModel) {
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

TEST_F(Tiny, RefusesWeightsOfAnotherConfig) {
  trained(recipe({"train.epochs=1"}));
  expect_says([&] { TranslationModel::load(folder_ / "run", {"model.width=16"}); },
              (folder_ / "run").string() +
                  ": config.json and model.safetensors do not belong together: encoder.");
}

TEST_F(Tiny, NamesTheFilesThatAreWrong) {
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
  std::ofstream(folder_ / "none") << "\n \n";
  expect_says([&] { trained(recipe({"data.train=[\"none\", \"none\"]"})); },
              "data.train: no text to learn a tokenizer from in none, none, or data.split leaves");
  const auto all_equal = [&](const std::string& split) {
    trained(recipe({files[0], "data.split=" + split}));
  };
  expect_says([&] { all_equal("{ dev = 1e-9 }"); },
              "data: the dev set has no examples: data.split.dev = 1e-09 of");
}

TEST_F(Tiny, AnOptionIsNotBlamedOnTheFolder) {
  trained(recipe({"train.epochs=1"}));
  expect_says([&] { runner({"decode.beam=x"}); },
              "--set (or an option): decode.beam=x: expected a whole number, found \"x\"");
}

TEST_F(Tiny, AResumedRunHasTheSameBits) {
  for (const std::string text : {"text.dropout=0", "text.dropout=0.2"}) {
    fs::remove_all(folder_ / "whole"), fs::remove_all(folder_ / "parts");
    const std::vector<std::string> common = {text, "text.source.kind=bpe",
                                             "text.source.vocabulary=40", "train.average=0.9",
                                             "train.schedule.kind=inverse_sqrt"};
    auto with = [&](const std::string& epochs) {
      auto settings = common;
      settings.push_back(epochs);
      return recipe(settings);
    };
    trained(with("train.epochs=4"), "whole");
    trained(with("train.epochs=2"), "parts");
    trained(with("train.epochs=4"), "parts", true);
    EXPECT_EQ(bytes_of(folder_ / "whole/model.safetensors"),
              bytes_of(folder_ / "parts/model.safetensors"));
  }
}

TEST_F(Tiny, LearnsBothDirectionsAndRanksByBoth) {
  trained(recipe({"objective.direction=both"}));
  const TranslationModel model = TranslationModel::load(folder_ / "run");
  TranslateDecode decode = model.recipe.decode;
  decode.n_best = 2;
  decode.rerank = 0.5;
  const std::vector<std::string> lines = {"two one five"};
  const auto ranked = translate(model, lines, {.decode = decode});
  EXPECT_EQ(ranked[0][0].text, "zwei eins fünf");
  EXPECT_GE(ranked[0][0].score, ranked[0][1].score);
  const IdPair pair{model.encode_source(lines[0]), ranked[0][0].ids};
  for (const bool reverse : {false, true}) {
    EXPECT_GT(log_probabilities(model, std::span(&pair, 1), reverse)[0], -3);
  }
}

TEST_F(Tiny, RanksByASecondModelThatItsFolderHolds) {
  trained(recipe({"objective.direction=reverse"}), "right");
  trained(recipe({"decode.second=right", "decode.rerank=0.4", "decode.n_best=2"}));
  const TranslationModel right = TranslationModel::load(folder_ / "right");
  fs::remove_all(folder_ / "right");
  const TranslationModel model = TranslationModel::load(folder_ / "run");
  ASSERT_TRUE(model.second);
  const std::vector<std::string> lines = {"two one five"};
  TranslateDecode decode = model.recipe.decode;
  const auto ranked = translate(model, lines, {.decode = decode})[0];
  decode.rerank = 0;
  const auto found = translate(model, lines, {.decode = decode})[0];
  ASSERT_EQ(ranked.size(), 2U);
  EXPECT_EQ(ranked[0].text, "zwei eins fünf");
  for (const Translation& one : ranked) {
    const auto same = std::find_if(found.begin(), found.end(),
                                   [&](const Translation& f) { return f.text == one.text; });
    ASSERT_NE(same, found.end());
    // The other model has a control symbol more: its ids are others.
    const IdPair pair{right.encode_source(lines[0]), right.target.encode(one.text)};
    EXPECT_NE(pair.target, one.ids);
    const double second = log_probabilities(right, std::span(&pair, 1), true)[0];
    const Dim length = std::ssize(one.ids) + 1;
    EXPECT_NEAR(one.score,
                0.6 * same->score + 0.4 * normalised(second, length, decode.length_penalty), 1e-4);
  }
  expect_says([&] { TranslationModel::load(folder_ / "run", {"decode.second=left"}); },
              "decode.second: left is neither seen");
}

TEST_F(Tiny, FurtherHeadsLearnOnTheSameEncoder) {
  TranslateRecipe with = recipe();
  with.heads.push_back({.name = "back", .train = "train.ed", .dev = "train.ed"});
  with.heads[0].text.kind = TokenizerKind::words;
  with.data.dev = {"train.en", "train.de"};
  trained(with);
  const TranslationModel model = TranslationModel::load(folder_ / "run");
  const std::vector<std::string> lines = {"two one five"};
  TranslateOptions options{.decode = model.recipe.decode};
  EXPECT_EQ(translate(model, lines, options)[0][0].text, "zwei eins fünf");
  options.head = "back";
  EXPECT_EQ(translate(model, lines, options)[0][0].text, "fünf eins zwei");
  options.head = "bakc";
  EXPECT_THROW(translate(model, lines, options), Error);
}

TEST_F(Tiny, AGuidedHeadLooksWhereItWasTold) {
  trained(recipe({"data.alignments=train.links", "objective.alignment.weight=1"}));
  const TranslationModel model = TranslationModel::load(folder_ / "run");
  const IdPair pair{model.encode_source("two one five"), model.target.encode("zwei eins fünf")};
  Probe probe({.where = concat("decoder.", model.alignment_layer(), ".cross")});
  look(model, std::span(&pair, 1), probe);
  const Tensor weights = probe.records().at(0).matrix(0, model.alignment_head());  // (4, 4)
  for (Dim i = 0; i < 3; ++i) EXPECT_GT(weights.view<float>()[i][i], 0.8F) << i;

  const auto runner = Runner::load(folder_ / "run");
  const std::vector<std::string> lines = {"two one five"}, answers = {"zwei eins fünf"};
  EXPECT_EQ(runner->run(lines, {.align = true})[0].json["answers"][0]["alignment"], "0-0 1-1 2-2");
  const TestResult test =
      runner->test({.files = {"train.en", "train.de"}, .base = folder_, .links = "train.links"});
  EXPECT_EQ(test.reports.back().figure.name, "aer");
  EXPECT_LT(test.reports.back().figure.value, 5);
  const RunRecord looked = runner->record(lines, answers, {.words = true})[0];
  EXPECT_EQ(looked.output, "zwei eins fünf");
  EXPECT_EQ(alignment_map(looked).queries,
            (std::vector<std::string>{"zwei", "eins", "fünf", "</s>"}));
  EXPECT_EQ(maps_of(looked).size(), 12U);  // two layers of two heads in three places
  EXPECT_EQ(looked.tokens("prefix"), (std::vector<std::string>{"<s>", "zwei", "eins", "fünf"}));
  const AttentionMap self = map_of(looked, "decoder.1.self");
  EXPECT_EQ(self.keys, looked.tokens("prefix"));
  EXPECT_EQ(self.weight(1, 2), 0) << "what follows is not seen";
  EXPECT_EQ(looked.layer("encoder.0.self").queries, "source");

  // Several lines at once, of which the top is kept, say what each says alone.
  const std::vector<std::string> more = {"one", "two one five", "five four three"};
  const RecordOptions top{.layers = "decoder.*.cross", .heads = {1}, .keep = Keep::top, .top = 2};
  const std::vector<RunRecord> records = runner->record(more, {}, top);
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[1].input, more[1]);
  EXPECT_EQ(records[1].layers.size(), 2U);
  EXPECT_EQ(records[1].layers[0].kept(), "top-2");
  EXPECT_EQ(records[1].layers[0].weights,
            runner->record(std::span(more).subspan(1, 1), {}, top)[0].layers[0].weights);
  try {
    runner->record(lines, {}, {.layers = "decoder.9.cross"});
    FAIL() << "there is no such layer";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("decoder.0.cross"), std::string::npos);
  }
}

TEST_F(Tiny, ShowsWhatItLearnsToThoseWhoWatch) {
  TranslateWorkload work(recipe(), folder_, folder_ / "run", false);
  const std::vector<std::string> lines = work.show(7);
  ASSERT_EQ(lines.size(), 2U);
  const Json samples = Json::parse(lines[0]), attention = Json::parse(lines[1]);
  EXPECT_EQ(samples["kind"], "samples");
  EXPECT_EQ(samples["samples"].size(), 3U);
  EXPECT_EQ(attention["kind"], "attention");
  EXPECT_EQ(attention["step"], 7);
  EXPECT_EQ(attention["keys"].back(), "</s>");
  const std::size_t weights = attention["keys"].size() * attention["queries"].size();
  EXPECT_EQ(attention["weights"].get<std::string>().size(), (2 * weights + 2) / 3 * 4);
}

TEST_F(Tiny, TranslatesBeforeTheSourceHasEnded) {
  trained(recipe({"model.lag=1", "objective.lags=[1, 2]"}));
  const TranslationModel model = TranslationModel::load(folder_ / "run");
  TranslateDecode decode = model.recipe.decode;
  decode.search = Search::greedy;
  const std::vector<std::string> lines = {"two one five", "two one"};
  EXPECT_EQ(best_of(translate(model, lines, {.decode = decode})),
            (std::vector<std::string>{"zwei eins fünf", "zwei eins"}));

  LiveTranslation live(model);
  EXPECT_EQ(live.read("two"), "zwei");
  EXPECT_EQ(live.read("one"), " eins");
  EXPECT_EQ(live.read("five"), " fünf");
  EXPECT_EQ(live.finish(), "");
}

// ABS does not know where a word stands, so that lines of several come out in any order.
TEST_F(Tiny, AbsWritesWhatItSees) {
  TranslateRecipe with = recipe();
  read_config(parse_toml(R"(
family = "abs"
embedding = 32
hidden = 32
smoothing = 0
dropout = 0.0)",
                         "test"),
              with.model);
  trained(with);
  const auto runner = Runner::load(folder_ / "run");
  const std::vector<std::string> lines = {"three", "five"};
  const std::vector<Answer> answers = runner->run(lines, {});
  EXPECT_EQ(answers[0].text, "drei");
  EXPECT_EQ(answers[1].text, "fünf");
  const RunRecord joined = runner->record(lines, {}, {.words = true})[0];
  EXPECT_EQ(alignment_map(joined).keys.size(), 2U);  // the word and the end
}

TEST_F(Tiny, LongSourcesAreLeftOutOrCut) {
  std::ofstream(folder_ / "long.en") << "one two three four\ntwo\n";
  std::ofstream(folder_ / "long.de") << "eins\nzwei\n";
  const auto examples = [&](const std::string& cut) {
    const TranslateRecipe with =
        recipe({"data.train=[\"long.en\", \"long.de\"]", "data.split={ dev = 0, test = 0 }",
                "data.longest=3", "data.cut=" + cut});
    return TranslateWorkload(with, folder_, folder_ / "run", false).examples();
  };
  EXPECT_EQ(examples("false"), 1);
  EXPECT_EQ(examples("true"), 2);
}

TEST_F(Tiny, SettingsThatMakeNoSenseAreRefusedBeforeTraining) {
  const auto refuses = [&](const std::vector<std::string>& settings, std::string_view part) {
    expect_says([&] { TranslateWorkload(recipe(settings), folder_, folder_ / "run", false); },
                part);
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

TEST_F(Tiny, SaysWhatIsWrongWithAFolder) {
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
