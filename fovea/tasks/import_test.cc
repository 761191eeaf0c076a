/// Checkpoints that transformers drew and saved (tests/fixtures/make_hub.py), each imported into
/// the task that its head is for: the same ids, the same logits, the same attention on the fused
/// path.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <fstream>

#include "fovea/attention/probe.h"
#include "fovea/formats/safetensors.h"
#include "fovea/tasks/answer/answer.h"
#include "fovea/tasks/classify/classify.h"
#include "fovea/tasks/embed/embed.h"
#include "fovea/tasks/import_hub.h"
#include "fovea/tasks/language/language.h"
#include "fovea/tasks/mask/mask.h"
#include "fovea/tasks/runner.h"
#include "fovea/tasks/tag/tag.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

fs::path fixture(const std::string& name) { return fs::path(FOVEA_FIXTURES) / "hub" / name; }

/// A folder that is gone afterwards.
class ImportFolder : public ::testing::Test {
 protected:
  ImportFolder() : folder(fs::path(::testing::TempDir()) / concat("import.", ::getpid())) {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  ~ImportFolder() override { fs::remove_all(folder); }
  fs::path folder;
};

/// What transformers found.
struct Expected {
  SafeTensors tensors;
  Json texts;

  explicit Expected(const std::string& name)
      : tensors(SafeTensors::open(fixture(name) / "expected.safetensors")),
        texts(parse_json_file(fixture(name) / "texts.json")) {}
  Tensor of(const char* what, std::size_t text) const {
    return tensors.find(concat(what, ".", text));
  }
  Ids ids(std::size_t text) const {
    const Tensor all = of("ids", text);
    const auto span = all.span<std::int32_t>();
    return {span.begin(), span.end()};
  }
  void same_attention(const Probe& probe, std::size_t text) const {
    for (Dim layer = 0; layer < 2; ++layer) {
      const AttentionRecord* record = probe.find(concat("encoder.", layer, ".self"));
      ASSERT_NE(record, nullptr);
      const Tensor all = tensors.find(concat("attention.", layer, ".", text));
      const Dim heads = all.shape()[0], size = all.size() / heads;
      for (Dim head = 0; head < heads; ++head) {
        const Tensor weights = record->matrix(0, head);
        ASSERT_EQ(weights.size(), size);
        for (Dim i = 0; i < size; ++i) {
          ASSERT_NEAR(weights.data<float>()[i], all.data<float>()[head * size + i], 1e-5F);
        }
      }
    }
  }
};

void expect_near(std::span<const float> found, std::span<const float> expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found[i], expected[i], 1e-5F * std::max(1.0F, std::abs(expected[i]))) << i;
  }
}

class EachImport : public ImportFolder, public ::testing::WithParamInterface<std::string> {
 protected:
  EachImport() : expected(GetParam()), out(folder / "model") {
    imported = import_hub({.folder = fixture(GetParam()), .out = out});
  }
  std::string head() const { return GetParam().substr(GetParam().find('-') + 1); }

  Expected expected;
  fs::path out;
  Imported imported;
  NoTape no_tape;
};

class Masks : public EachImport {};
TEST_P(Masks, AsTransformers) {
  const auto model = load_model<Mask>(out);
  for (std::size_t t = 0; t < expected.texts.size(); ++t) {
    const std::string text = expected.texts[t];
    const Ids ids = model.query_of(text).example.tokens;
    ASSERT_EQ(ids, expected.ids(t));
    Probe probe;
    const Var h = (*model.net.encoder)({joined(std::span(&ids, 1))}, {.probe = &probe});
    Ids places(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) places[i] = static_cast<std::int32_t>(i);
    const Tensor at = Tensor::from<std::int32_t>({std::ssize(ids)}, places);
    const Tensor logits = model.net.logits(model.net.hidden(h, at)).value();
    expect_near(logits.span<float>(), expected.of("logits", t).span<float>());
    expected.same_attention(probe, t);
  }
  const std::string line = expected.texts[0];
  const auto runner = Runner::load(out);
  const Answer answer = runner->run(std::span(&line, 1), {}).front();
  EXPECT_EQ(answer.json["masks"].size(), 1U);
  EXPECT_EQ(answer.json["filled"].get<std::string>().find("[MASK]"), std::string::npos);
  EXPECT_EQ(runner->record(std::span(&line, 1), {}, {}).front().layers.size(), 2U);
}
INSTANTIATE_TEST_SUITE_P(Import, Masks,
                         ::testing::Values("bert-masks", "roberta-masks", "distilbert-masks"));

class Classes : public EachImport {};
TEST_P(Classes, AsTransformers) {
  const bool pairs = expected.texts[0].is_array();
  const std::vector<std::string> settings =
      pairs ? std::vector<std::string>{"model.pairs=true"} : std::vector<std::string>();
  const auto model = load_model<Classify>(out, settings);
  EXPECT_EQ(model.recipe.data.labels, (std::vector<std::string>{"bad", "so so", "good"}));
  for (std::size_t t = 0; t < expected.texts.size(); ++t) {
    const Json& given = expected.texts[t];
    const ClassifyExample example =
        pairs ? model.query_of(given[0], given[1]).example : model.query_of(given, "").example;
    Ids ids = example.words;
    ids.insert(ids.end(), example.second.begin(), example.second.end());
    ASSERT_EQ(ids, expected.ids(t));
    Probe probe;
    const Var logits = model.forward(std::span(&example, 1), {.probe = &probe}).logits;
    expect_near(logits.value().span<float>(), expected.of("logits", t).span<float>());
    expected.same_attention(probe, t);
  }
  const std::string line = pairs ? concat(expected.texts[0][0].get<std::string>(), "\t",
                                          expected.texts[0][1].get<std::string>())
                                 : expected.texts[0].get<std::string>();
  const auto runner = Runner::load(out, settings);
  EXPECT_EQ(runner->run(std::span(&line, 1), {}).front().json["probabilities"].size(), 3U);
  EXPECT_FALSE(runner->record(std::span(&line, 1), {}, {}).front().layers.empty());
}
INSTANTIATE_TEST_SUITE_P(Import, Classes,
                         ::testing::Values("bert-classes", "roberta-classes",
                                           "distilbert-classes"));

class Tags : public EachImport {};
TEST_P(Tags, AsTransformers) {
  const TaggingModel model = load_model<TaggingModel>(out);
  for (std::size_t t = 0; t < expected.texts.size(); ++t) {
    const TagExample text = model.encode(words_in(expected.texts[t].get<std::string>()));
    ASSERT_EQ(text.pieces, expected.ids(t));
    const TagBatch batch = model.batch_of({&text, 1});
    Probe probe;
    const Tensor scores = model.net(batch, {.probe = &probe}).tags.value();
    const Tensor logits = expected.of("logits", t);
    for (Dim w = 0; w < scores.rows(); ++w) {
      const Dim row = batch.firsts.data<std::int32_t>()[w];
      expect_near({scores.view<float>()[w], 5}, {logits.view<float>()[row], 5});
    }
    expected.same_attention(probe, t);
  }
  const std::string line = expected.texts[0];
  const auto runner = Runner::load(out);
  EXPECT_EQ(runner->run(std::span(&line, 1), {}).front().json["tags"].size(),
            words_in(line).size());
  EXPECT_EQ(runner->record(std::span(&line, 1), {}, {}).front().layers.size(), 2U);
}
INSTANTIATE_TEST_SUITE_P(Import, Tags,
                         ::testing::Values("bert-tags", "roberta-tags", "distilbert-tags"));

class Spans : public EachImport {};
TEST_P(Spans, AsTransformers) {
  const auto model = load_model<QuestionAnswering>(out);
  for (std::size_t t = 0; t < expected.texts.size(); ++t) {
    const std::string question = expected.texts[t][0], passage = expected.texts[t][1];
    const std::string line = question + "\t" + passage;
    const AnswerExample example = model.parse({.text = line}).example;
    const AnswerPair pair{example.question, example.texts.front()};
    const TextRows rows = model.net.rows_of(std::span(&pair, 1));
    const auto ids = rows.tokens.ids.span<std::int32_t>();
    ASSERT_EQ(Ids(ids.begin(), ids.end()), expected.ids(t));
    Probe probe;
    const SpanPointers found = model.forward(std::span(&example, 1), {.probe = &probe}).spans;
    const Tensor logits = expected.of("logits", t);
    const Dim end = logits.rows() - std::ssize(model.net.marks.behind);
    std::vector<Dim> places = {0};
    for (Dim row = end - std::ssize(pair.text); row < end; ++row) places.push_back(row);
    for (const Dim column : {0, 1}) {
      double sum = 0;
      std::vector<float> wanted;
      for (const Dim row : places) sum += std::exp(logits.view<float>()[row][column]);
      for (const Dim row : places) {
        wanted.push_back(static_cast<float>(std::exp(logits.view<float>()[row][column]) / sum));
      }
      expect_near((column == 0 ? found.begin : found.end).value().span<float>(), wanted);
    }
    expected.same_attention(probe, t);
    const Answer answer = Runner::load(out)->run(std::span(&line, 1), {}).front();
    EXPECT_NE(passage.find(answer.text), std::string::npos) << answer.text;
  }
}
INSTANTIATE_TEST_SUITE_P(Import, Spans,
                         ::testing::Values("bert-spans", "roberta-spans", "distilbert-spans"));

class Vectors : public EachImport {};
TEST_P(Vectors, AsTransformers) {
  const auto model = load_model<Embed>(out);
  ASSERT_FALSE(imported.notes.empty());
  EXPECT_NE(imported.notes[0].find("modules.json"), std::string::npos);
  for (std::size_t t = 0; t < expected.texts.size(); ++t) {
    const Ids ids = model.parse({.text = expected.texts[t].get<std::string>()}).example.first;
    ASSERT_EQ(ids, expected.ids(t));
    Probe probe;
    const Tensor rows =
        (*model.net.encoder)({joined(std::span(&ids, 1))}, {.probe = &probe}).value();
    expect_near(rows.span<float>(), expected.of("logits", t).span<float>());
    expected.same_attention(probe, t);
  }
}
INSTANTIATE_TEST_SUITE_P(Import, Vectors,
                         ::testing::Values("bert-vectors", "roberta-vectors",
                                           "distilbert-vectors"));

class Next : public EachImport {};
TEST_P(Next, AsTransformers) {
  const auto model = load_model<WritingModel>(out);
  for (std::size_t t = 0; t < expected.texts.size(); ++t) {
    Ids ids = model.text.beginning();
    const Ids text = model.text.encode(expected.texts[t].get<std::string>());
    ids.insert(ids.end(), text.begin(), text.end());
    ASSERT_EQ(ids, expected.ids(t));
    Probe probe;
    const Var h = model.net(joined(std::span(&ids, 1)), {.probe = &probe});
    expect_near(model.net.out.logits(h).value().span<float>(),
                expected.of("logits", t).span<float>());
    expected.same_attention(probe, t);
  }
  const std::string line = expected.texts[0];
  const auto runner = Runner::load(out, {"decode.max_length=5"});
  EXPECT_LE(runner->run(std::span(&line, 1), {}).front().json["answers"][0]["tokens"], 5);
  EXPECT_EQ(runner->record(std::span(&line, 1), {}, {}).front().layers.size(), 2U);
}
INSTANTIATE_TEST_SUITE_P(Import, Next, ::testing::Values("gpt2-next", "llama-next"));

class Damaged : public ImportFolder {
 protected:
  Damaged() : copy(folder / "copy") { fs::copy(fixture("bert-masks"), copy); }

  Json config() const { return parse_json_file(copy / "config.json"); }
  void write(const char* name, const std::string& text) const {
    std::ofstream(copy / name, std::ios::binary) << text;
  }
  /// Refused with these words, and nothing is left.
  void expect_refused(std::string_view part, const std::string& task = "",
                      const fs::path& weights = {}) const {
    try {
      import_hub({.folder = copy, .out = folder / "model", .weights = weights, .task = task});
      ADD_FAILURE() << "no error, expected one with '" << part << "'";
    } catch (const Error& error) {
      EXPECT_NE(std::string_view(error.what()).find(part), std::string_view::npos) << error.what();
    }
    const auto left = std::distance(fs::directory_iterator(folder), fs::directory_iterator());
    EXPECT_EQ(left, 1) << "something was left beside the copy";
  }
  /// With its tensors changed.
  void rewrite(const std::function<void(std::vector<NamedTensor>&)>& change) const {
    std::vector<NamedTensor> tensors;
    {
      const SafeTensors file = SafeTensors::open(fixture("bert-masks") / "model.safetensors");
      for (const std::string& name : file.names())
        tensors.push_back({name, file.find(name).clone()});
    }
    change(tensors);
    write_safetensors(copy / "model.safetensors", tensors);
  }
  void with(const char* key, const Json& value) const {
    Json json = config();
    json[key] = value;
    write("config.json", json.dump());
  }

  fs::path copy;
};

TEST_F(Damaged, TensorsAreNamed) {
  const std::string name = "bert.encoder.layer.1.output.dense.weight";
  rewrite([&](auto& all) { std::erase_if(all, [&](auto& one) { return one.name == name; }); });
  expect_refused(name);
  rewrite([&](auto& all) {
    for (NamedTensor& one : all) {
      if (one.name == name) one.tensor = Tensor::zeros({3, 3});
    }
  });
  expect_refused("expected the shape (16, 24), found (3, 3)");
  expect_refused(name);
  rewrite([&](auto& all) { all.push_back({"bert.encoder.layer.2.odd", Tensor::zeros({2})}); });
  expect_refused("bert.encoder.layer.2.odd: a tensor that a bert");
  rewrite([&](auto& all) {
    all.push_back({"cls.predictions.decoder.weight", Tensor::zeros({346, 16})});
  });
  expect_refused("cls.predictions.decoder.weight: expected the same numbers as bert.embeddings");
}

TEST_F(Damaged, HarmlessTensorsPassAndOthersAreTold) {
  rewrite([&](auto& all) {
    all.push_back({"bert.embeddings.position_ids", Tensor::zeros({1, 64}, DType::i64)});
    all.push_back({"bert.pooler.dense.weight", Tensor::zeros({16, 16})});
    all.push_back({"cls.seq_relationship.weight", Tensor::zeros({2, 16})});
  });
  const Imported made = import_hub({.folder = copy, .out = folder / "model"});
  ASSERT_EQ(made.notes.size(), 1U);
  EXPECT_NE(made.notes[0].find("cls.seq_relationship.weight"), std::string::npos);
}

TEST_F(Damaged, FilesAndSettingsAreNamed) {
  const std::string whole = [&] {
    std::ifstream in(copy / "model.safetensors", std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }();
  write("model.safetensors", whole.substr(0, whole.size() / 2));
  expect_refused("model.safetensors");
  write("model.safetensors", std::string(8, '\xFF') + whole.substr(8));  // a header of 2^64 bytes
  expect_refused("model.safetensors");
  write("model.safetensors", whole);
  with("num_hidden_layers", 1LL << 40);
  expect_refused("num_hidden_layers");
  with("num_hidden_layers", 1);
  expect_refused("bert.encoder.layer.1.");
  with("num_hidden_layers", 2);
  with("vocab_size", 300);
  expect_refused("300");
  with("vocab_size", 346);
  expect_refused("--task tag needs a head of tags", "tag");
  expect_refused("no model of the task \"cloze\"", "cloze");
  expect_refused("cannot be read", "", copy / "none.safetensors");
  write("tokenizer.json", "{");
  expect_refused("tokenizer.json");
  write("config.json", R"({"task": "language"})");
  expect_refused("is a model of Fovea's already");
  fs::remove(copy / "config.json");
  expect_refused("config.json");
}

TEST_F(Damaged, WhatIsThereStays) {
  fs::create_directories(folder / "model");
  try {
    import_hub({.folder = copy, .out = folder / "model"});
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string_view(error.what()).find("is there already"), std::string_view::npos);
  }
  EXPECT_TRUE(fs::is_empty(folder / "model"));
}

TEST_F(Damaged, SentenceTransformersSayHowVectorsAreMade) {
  const auto modules = [&](const std::string& last) {
    write("modules.json",
          R"([{"idx": 0, "path": "", "type": "sentence_transformers.models.Transformer"},
              {"idx": 1, "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"})" +
              last + "]");
  };
  fs::create_directories(copy / "1_Pooling");
  modules("");
  write("1_Pooling/config.json",
        R"({"word_embedding_dimension": 16, "pooling_mode_cls_token": true,
            "pooling_mode_mean_tokens": false})");
  write("sentence_bert_config.json", R"({"max_seq_length": 10})");
  const HubImport import{.folder = copy, .out = folder / "model", .task = "embed"};
  import_hub(import);
  const auto model = load_model<Embed>(folder / "model");
  EXPECT_EQ(model.recipe.model.pooling, TextPooling::first_row);
  EXPECT_FALSE(model.recipe.model.normalise);
  EXPECT_EQ(model.recipe.data.longest, 8);
  fs::remove_all(folder / "model");
  modules(R"(, {"idx": 2, "path": "2_Dense", "type": "sentence_transformers.models.Dense"})");
  expect_refused("sentence_transformers.models.Dense", "embed");
  modules("");
  write("1_Pooling/config.json", R"({"pooling_mode_weightedmean_tokens": true})");
  expect_refused("pooling_mode_weightedmean_tokens", "embed");
}

}  // namespace
}  // namespace fovea
