/// Checkpoints that transformers drew and saved, imported and exported again: the same tensors and
/// the same tokenizer, and imported once more the same model, bit for bit. That transformers loads
/// what is written is checked by `make test-peers`.
#include "fovea/tasks/export_hub.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "fovea/formats/safetensors.h"
#include "fovea/hub/weights.h"
#include "fovea/tasks/import_hub.h"
#include "fovea/tasks/language/language.h"
#include "fovea/tasks/mask/mask.h"
#include "fovea/tasks/tag/tag.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class ExportFolder {
 public:
  ExportFolder() : path(fs::path(::testing::TempDir()) / concat("export-hub.", ::getpid())) {
    fs::remove_all(path);
    fs::create_directories(path);
  }
  ~ExportFolder() { fs::remove_all(path); }
  fs::path path;
};

class Back : public ::testing::TestWithParam<const char*> {
 protected:
  ExportFolder folder;
};

TEST_P(Back, TheSameTensorsAndTokens) {
  const fs::path from = fs::path(FOVEA_FIXTURES) / "hub" / GetParam();
  const fs::path first = folder.path / "first", theirs = folder.path / "theirs",
                 second = folder.path / "second";
  import_hub({.folder = from, .out = first});
  const HubExported exported = export_hub(first, theirs);
  EXPECT_EQ(Json(exported.architecture), parse_json_file(from / "config.json")["architectures"][0]);
  const HubWeights before = HubWeights::open(from), after = HubWeights::open(theirs);
  for (const std::string& name : after.names()) {
    ASSERT_TRUE(before.has(name)) << name;
    if (name.ends_with("position_embeddings.weight")) continue;  // RoBERTa's first two are unused
    EXPECT_TRUE(identical(after(name), before(name))) << name;
  }
  import_hub({.folder = theirs, .out = second});
  EXPECT_EQ(contents(first / "model.safetensors"), contents(second / "model.safetensors"));
  Json one = parse_json_file(first / "config.json"), two = parse_json_file(second / "config.json");
  one.erase("title"), two.erase("title");  // it names the folder
  EXPECT_EQ(one, two);
  EXPECT_EQ(contents(first / "tokenizer.json"), contents(second / "tokenizer.json"));
}

INSTANTIATE_TEST_SUITE_P(Types, Back,
                         ::testing::Values("bert-classes", "bert-masks", "bert-spans", "bert-tags",
                                           "bert-vectors", "distilbert-classes", "distilbert-masks",
                                           "distilbert-spans", "distilbert-tags",
                                           "distilbert-vectors", "roberta-classes", "roberta-masks",
                                           "roberta-spans", "roberta-tags", "roberta-vectors",
                                           "gpt2-next", "llama-next"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

Tokenizer words_of(TokenizerKind kind) {
  std::vector<std::string> lines = {"a dog runs", "a cat sleeps", "two dogs play in the sun"};
  return Tokenizer::train({.kind = kind, .vocabulary = 40, .controls = {"[MASK]"}},
                          [&](std::string& line) {
                            if (lines.empty()) return false;
                            line = lines.back();
                            lines.pop_back();
                            return true;
                          });
}

template <class Model>
void save(const Model& model, const fs::path& folder) {
  fs::create_directories(folder);
  model.save_rest(folder);
  std::vector<NamedTensor> tensors;
  for (const Parameter& each : model.params->all()) {
    tensors.push_back({each.name, each.var.value()});
  }
  write_safetensors(folder / "model.safetensors", tensors);
}

MaskRecipe bert_like() {
  MaskRecipe recipe;
  TextEncoderConfig& c = recipe.model.encoder;
  c.layers = 1, c.width = 8, c.hidden = 12, c.heads = 2, c.longest = 16;
  c.norm = NormPlace::post, c.input_norm = true;
  recipe.data.longest = 16;
  return recipe;
}

std::string refused(const fs::path& from, const fs::path& to) {
  try {
    export_hub(from, to);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(ExportHub, AModelTrainedHereBecomesTheirsIfItsSettingsAre) {
  const ExportFolder folder;
  save(
      Mask(bert_like(), {{"words", words_of(TokenizerKind::unigram)}}, std::make_unique<Params>(1)),
      folder.path / "model");
  EXPECT_EQ(export_hub(folder.path / "model", folder.path / "out").architecture, "BertForMaskedLM");
  const HubWeights weights = HubWeights::open(folder.path / "out");
  EXPECT_EQ(weights("bert.embeddings.token_type_embeddings.weight").shape(), (Shape{1, 8}));
  EXPECT_TRUE(fs::exists(folder.path / "out" / "tokenizer.json"));
  EXPECT_NE(refused(folder.path / "model", folder.path / "out").find("already"), std::string::npos);
}

LanguageRecipe gpt2_like() {
  LanguageRecipe recipe;
  LanguageModelConfig& c = recipe.model;
  c.layers = 1, c.width = 8, c.hidden = 12, c.heads = 2;
  recipe.batch.context = 16;
  return recipe;
}

LanguageRecipe llama_like() {
  LanguageRecipe recipe = gpt2_like();
  LanguageModelConfig& c = recipe.model;
  c.positions = Positions::rotary, c.norm_kind = NormKind::rms, c.activation = Activation::silu;
  c.kv_heads = 1, c.gated = true, c.bias = false, c.tied = false;
  return recipe;
}

void save(const LanguageRecipe& recipe, const fs::path& folder) {
  WritingModel model(recipe, {{"text", words_of(TokenizerKind::bpe)}}, std::make_unique<Params>(1));
  for (Parameter& each : model.params->all()) {  // as trained ones: nothing is zero
    init::normal(1)(each.var.mutable_value(), Draws{.seed = 1});
  }
  save(model, folder);
}

TEST(ExportHub, LanguageModelsTrainedHereBecomeTheirs) {
  const ExportFolder folder;
  save(gpt2_like(), folder.path / "gpt2");
  save(llama_like(), folder.path / "llama");
  EXPECT_EQ(export_hub(folder.path / "gpt2", folder.path / "gpt2-out").architecture,
            "GPT2LMHeadModel");
  EXPECT_EQ(export_hub(folder.path / "llama", folder.path / "llama-out").architecture,
            "LlamaForCausalLM");
  for (const char* name : {"gpt2", "llama"}) {
    const fs::path back = folder.path / concat(name, "-back");
    import_hub({.folder = folder.path / concat(name, "-out"), .out = back});
    EXPECT_EQ(contents(back / "model.safetensors"),
              contents(folder.path / name / "model.safetensors"))
        << name;
  }
  LanguageRecipe with_bias = gpt2_like();
  with_bias.model.out_bias = true;
  save(with_bias, folder.path / "bias");
  const std::string says = refused(folder.path / "bias", folder.path / "out");
  EXPECT_NE(says.find("train with model.out_bias = false"), std::string::npos) << says;
}

TEST(ExportHub, WhatTheyDoNotHaveIsNamed) {
  const ExportFolder folder;
  MaskRecipe recipe = bert_like();
  recipe.model.encoder.norm = NormPlace::pre;
  save(Mask(recipe, {{"words", words_of(TokenizerKind::bpe)}}, std::make_unique<Params>(1)),
       folder.path / "pre");
  EXPECT_NE(refused(folder.path / "pre", folder.path / "out").find("model.encoder.norm = \"pre\""),
            std::string::npos)
      << refused(folder.path / "pre", folder.path / "out");
  TagRecipe tags;
  tags.data.tags = {"O", "B-X"};
  tags.text.letters = false;
  static_cast<TextEncoderConfig&>(tags.model) = bert_like().model.encoder;
  save(TaggingModel(tags, {{"words", words_of(TokenizerKind::bpe)}}, std::make_unique<Params>(1)),
       folder.path / "tags");
  EXPECT_NE(refused(folder.path / "tags", folder.path / "out").find("model.crf"),
            std::string::npos);
  EXPECT_FALSE(fs::exists(folder.path / "out"));
}

}  // namespace
}  // namespace fovea
