/// The whole way of a tiny model: files, tokenizers, training, its folder, translations.
#include "fovea/tasks/translate/translate.h"

#include <gtest/gtest.h>

#include <map>

#include "fovea/decode/score.h"
#include "fovea/metrics/alignment_error.h"
#include "fovea/tasks/translate/live_translation.h"
#include "fovea/tasks/translate/translate_alignment.h"
#include "fovea/tasks/translate/translate_record.h"
#include "fovea/tasks/translate/translate_testing.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;
TEST_F(TinyTranslator, LearnsFromFilesAndTranslatesFromItsFolder) {
  const TrainResult result = trained(recipe());
  ASSERT_TRUE(result.best);
  const TranslationModel model = TranslationModel::load(folder_ / "run");
  const std::vector<std::string> lines = {"two one", "", "three", "five four three two"};
  const auto all = translate(model, lines, {.decode = model.recipe.decode});
  EXPECT_EQ(best_of(all),
            (std::vector<std::string>{"zwei eins", "", "drei", "fünf vier drei zwei"}));

  TranslateOptions forced{.decode = model.recipe.decode, .prefix = "eins"};
  EXPECT_EQ(translate(model, std::vector<std::string>{"two one"}, forced)[0].texts[0].text.rfind(
                "eins", 0),
            0U);

  const auto runner = Runner::load(folder_ / "run", {"decode.n_best=2"});
  const TestResult test = runner->test({});
  EXPECT_LT(test.reports[1].figure.value, 50);  // lines of words never seen together, in percent
  EXPECT_EQ(runner->run(lines, {})[0].json["answers"].size(), 2U);
}

// The families beside the Transformer share everything else with it.
TEST_F(TinyTranslator, RecurrentModelsDoTheSame) {
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
    const bool draws = is_hard(r.model.config);
    ASSERT_EQ(looked.samples.size(), draws ? 1U : 0U);
    if (draws) {
      EXPECT_EQ(looked.samples[0].layer, "decoder.cross");
      EXPECT_EQ(looked.samples[0].keys.size(), 3U);  // one for each target
    }
    EXPECT_THROW(runner->live(), Error);
  }
}

TEST_F(TinyTranslator, AModelWithoutAttentionSaysSo) {
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

TEST_F(TinyTranslator, AUniversalTransformerShowsItsSteps) {
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

TEST_F(TinyTranslator, ConvolutionsLearnToWriteBackwards) {
  TranslateRecipe with = recipe({"train.epochs=20", "objective.smoothing=0"});
  with.data.train = {"train.en", "train.ed"};
  ConvolutionalConfig& net = with.model.config.emplace<ConvolutionalConfig>();
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

TEST_F(TinyTranslator, LinesCanBeJoined) {
  TranslateRecipe r = recipe({"data.join=4"});
  const auto test_set = [&](TranslateRecipe with) {
    TranslationModel::locate(with, folder_);
    return read_test_set(with.data, Part::test, false);
  };
  const TestSet one = test_set(recipe()), four = test_set(r);
  EXPECT_EQ(four.sources.size(), (one.sources.size() + 3) / 4);
  EXPECT_EQ(four.sources[0],
            one.sources[0] + " " + one.sources[1] + " " + one.sources[2] + " " + one.sources[3]);
  EXPECT_EQ(four.references[0][0].rfind(one.references[0][0] + " " + one.references[1][0], 0), 0U);
  r.data.join = 0;
  EXPECT_THROW(test_set(r), Error);
}

TEST_F(TinyTranslator, OrderAndNeighboursChangeNothing) {
  trained(recipe({"train.epochs=1"}));
  const TranslationModel model = TranslationModel::load(folder_ / "run");
  const std::vector<std::string> lines = {"two one", "three", "five four three two", "one"};
  for (const char* search : {"greedy", "beam", "sample"}) {
    TranslateDecode decode = model.recipe.decode;
    read_config(Json{{"search", search}, {"beam", 3}, {"n_best", 2}}, decode);
    const auto together = translate(model, lines, {.decode = decode});
    const auto apart = translate(model, lines, {.decode = decode, .rows = 1});
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto &here = together[i].texts, &there = apart[i].texts;
      ASSERT_EQ(here.size(), there.size());
      for (std::size_t n = 0; n < there.size(); ++n) {
        EXPECT_EQ(here[n].ids, there[n].ids) << search;
        EXPECT_EQ(here[n].score, there[n].score) << search;
      }
    }
  }
}

TEST_F(TinyTranslator, AResumedRunHasTheSameBits) {
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

TEST_F(TinyTranslator, LearnsBothDirectionsAndRanksByBoth) {
  trained(recipe({"objective.direction=both"}));
  const TranslationModel model = TranslationModel::load(folder_ / "run");
  TranslateDecode decode = model.recipe.decode;
  decode.n_best = 2;
  decode.rerank = 0.5;
  const std::vector<std::string> lines = {"two one five"};
  const auto ranked = translate(model, lines, {.decode = decode})[0].texts;
  EXPECT_EQ(ranked[0].text, "zwei eins fünf");
  EXPECT_GE(ranked[0].score, ranked[1].score);
  const IdPair pair{model.encode_source(lines[0]), ranked[0].ids};
  for (const bool reverse : {false, true}) {
    EXPECT_GT(log_probabilities(model, std::span(&pair, 1), reverse)[0], -3);
  }
}

TEST_F(TinyTranslator, RanksByASecondModelThatItsFolderHolds) {
  trained(recipe({"objective.direction=reverse"}), "right");
  trained(recipe({"decode.second=right", "decode.rerank=0.4", "decode.n_best=2"}));
  const TranslationModel right = TranslationModel::load(folder_ / "right");
  fs::remove_all(folder_ / "right");
  const TranslationModel model = TranslationModel::load(folder_ / "run");
  ASSERT_EQ(model.seconds.size(), 1U);
  const std::vector<std::string> lines = {"two one five"};
  TranslateDecode decode = model.recipe.decode;
  const auto ranked = translate(model, lines, {.decode = decode})[0].texts;
  decode.rerank = 0;
  const auto found = translate(model, lines, {.decode = decode})[0].texts;
  ASSERT_EQ(ranked.size(), 2U);
  EXPECT_EQ(ranked[0].text, "zwei eins fünf");
  for (const WrittenText& one : ranked) {
    const auto same = std::find_if(found.begin(), found.end(),
                                   [&](const WrittenText& f) { return f.text == one.text; });
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

TEST_F(TinyTranslator, RanksByTheMeanOfSeveralModels) {
  trained(recipe({"objective.direction=reverse"}), "right");
  trained(recipe({"train.seed=7"}), "other");
  trained(recipe({"decode.second=[\"right\", \"other\"]", "decode.rerank=0.5", "decode.n_best=2"}));
  fs::remove_all(folder_ / "right");
  fs::remove_all(folder_ / "other");
  const std::vector<std::string> lines = {"two one five"};
  const auto with = [&](const char* second) {
    const auto model = TranslationModel::load(folder_ / "run", {second});
    std::map<std::string, double> scores;
    const auto all = translate(model, lines, {.decode = model.recipe.decode});
    for (const WrittenText& one : all[0].texts) scores[one.text] = one.score;
    return scores;
  };
  const auto right = with("decode.second=second"), other = with("decode.second=second-2");
  const auto both = with("decode.second=[\"second\", \"second-2\"]");
  ASSERT_EQ(both.size(), 2U);
  for (const auto& [text, score] : both) {
    EXPECT_NE(right.at(text), other.at(text));
    EXPECT_NEAR(score, (right.at(text) + other.at(text)) / 2, 1e-6);
  }
}

TEST_F(TinyTranslator, ASecondModelReadsTheLineItself) {
  std::ofstream(folder_ / "few.en") << "one two\ntwo one\none\ntwo\n";
  std::ofstream(folder_ / "few.de") << "eins zwei\nzwei eins\neins\nzwei\n";
  trained(recipe({"train.epochs=1"}), "knows");
  trained(recipe({"data.train=[\"few.en\", \"few.de\"]", "data.split={ dev = 0, test = 0 }",
                  "train.epochs=1", "decode.second=knows", "decode.rerank=1", "decode.n_best=2"}));
  const TranslationModel model = TranslationModel::load(folder_ / "run");
  const std::vector<std::string> lines = {"three", "four"};  // words that it does not know
  const auto all = translate(model, lines, {.decode = model.recipe.decode});
  EXPECT_NE(all[0].texts[0].score, all[1].texts[0].score);
}

TEST_F(TinyTranslator, ResumedWithAnotherSecondModelItTakesThat) {
  trained(recipe({"train.epochs=1"}), "a");
  trained(recipe({"train.epochs=1", "train.seed=7"}), "b");
  const auto with = [&](const char* second, const char* epochs) {
    return recipe(
        {concat("decode.second=", second), "decode.rerank=0.5", "decode.n_best=2", epochs});
  };
  trained(with("a", "train.epochs=1"));
  trained(with("[\"b\", \"a\"]", "train.epochs=2"), "run", true);
  const auto weights = [&](const char* of) { return bytes_of(folder_ / of / "model.safetensors"); };
  EXPECT_EQ(weights("run/second"), weights("b"));
  EXPECT_EQ(weights("run/second-2"), weights("a"));
  fs::remove_all(folder_ / "a");
  fs::remove_all(folder_ / "b");
  trained(with("[\"b\", \"a\"]", "train.epochs=3"), "run", true);  // by its own copies
  EXPECT_EQ(TranslationModel::load(folder_ / "run").seconds.size(), 2U);
}

TEST_F(TinyTranslator, WordsAndLinksOfWhatWasWrittenBackwardsAreThoseOfTheText) {
  trained(recipe({"objective.direction=reverse", "text.target.kind=characters", "train.epochs=1"}));
  const TranslationModel model = TranslationModel::load(folder_ / "run");
  const IdPair pair{model.encode_source("two one"), model.target.encode("zwei eins")};
  const RunRecord looked = records_of(model, std::span(&pair, 1), {.words = true})[0];
  EXPECT_EQ(looked.tokens("target"), (std::vector<std::string>{" eins", "zwei", "</s>"}));
  std::vector<Link> links;
  for (const auto& [row, source] : hard_alignment(alignment_map(looked))) {
    if (row < 2 && source < 2) links.emplace_back(source, 1 - row);
  }
  std::reverse(links.begin(), links.end());
  EXPECT_EQ(word_links(model, pair), pharaoh(links));
}

TEST_F(TinyTranslator, FurtherHeadsLearnOnTheSameEncoder) {
  TranslateRecipe with = recipe();
  with.heads.push_back({.name = "back", .train = "train.ed", .dev = "train.ed"});
  with.heads[0].text.kind = TokenizerKind::words;
  with.data.dev = {"train.en", "train.de"};
  trained(with);
  const TranslationModel model = TranslationModel::load(folder_ / "run");
  const std::vector<std::string> lines = {"two one five"};
  TranslateOptions options{.decode = model.recipe.decode};
  EXPECT_EQ(translate(model, lines, options)[0].texts[0].text, "zwei eins fünf");
  options.head = "back";
  EXPECT_EQ(translate(model, lines, options)[0].texts[0].text, "fünf eins zwei");
  options.head = "bakc";
  EXPECT_THROW(translate(model, lines, options), Error);
}

TEST_F(TinyTranslator, AGuidedHeadLooksWhereItWasTold) {
  trained(recipe({"data.alignments=train.links", "objective.alignment.weight=1"}));
  const TranslationModel model = TranslationModel::load(folder_ / "run");
  const IdPair pair{model.encode_source("two one five"), model.target.encode("zwei eins fünf")};
  Probe probe({.where = concat("decoder.", model.alignment_layer(), ".cross")});
  probe_pairs(model, std::span(&pair, 1), probe);
  const Tensor weights = probe.records().at(0).matrix(0, model.alignment_head());  // (4, 4)
  for (Dim i = 0; i < 3; ++i) EXPECT_GT(weights.view<float>()[i][i], 0.8F) << i;

  const auto runner = Runner::load(folder_ / "run");
  const std::vector<std::string> lines = {"two one five"}, answers = {"zwei eins fünf"};
  EXPECT_EQ(runner->run(inputs_of(lines, {{"align", true}}), {})[0].json["answers"][0]["alignment"],
            "0-0 1-1 2-2");
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

TEST_F(TinyTranslator, ShowsWhatItLearnsToThoseWhoWatch) {
  const std::vector<std::string> lines = work(recipe()).show(7);
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

TEST_F(TinyTranslator, TranslatesBeforeTheSourceHasEnded) {
  trained(recipe({"model.lag=1", "objective.lags=[1, 2]"}));
  const TranslationModel model = TranslationModel::load(folder_ / "run");
  TranslateDecode decode = model.recipe.decode;
  decode.search = Search::greedy;
  const std::vector<std::string> lines = {"two one five", "two one"};
  EXPECT_EQ(best_of(translate(model, lines, {.decode = decode})),
            (std::vector<std::string>{"zwei eins fünf", "zwei eins"}));

  for (const Dim lag : {1, 2}) {  // what comes out is what a search over the whole source gives
    TranslationModel late = TranslationModel::load(folder_ / "run", {concat("decode.lag=", lag)});
    decode.lag = lag;
    const std::vector<std::string> line = {"five two three four one"};
    LiveTranslation live(late);
    std::string text;
    for (const char* word : {"five", "two", "three", "four", "one"}) text += live.read(word);
    EXPECT_NE(text, "");
    text += live.finish();
    EXPECT_EQ(text, best_of(translate(late, line, {.decode = decode}))[0]);
  }
  LiveTranslation live(model);
  EXPECT_EQ(live.read("two"), "zwei");
  EXPECT_EQ(live.read("one"), " eins");
  EXPECT_EQ(live.read("five"), " fünf");
  EXPECT_EQ(live.finish(), "");
}

// ABS does not know where a word stands, so that lines of several come out in any order.
TEST_F(TinyTranslator, AbsWritesWhatItSees) {
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

}  // namespace
}  // namespace fovea
