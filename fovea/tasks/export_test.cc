/// Models from their folders to the files of others. That those compute the same is checked by
/// `make test-peers`.
#include "fovea/tasks/export_onnx.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "fovea/formats/safetensors.h"
#include "fovea/onnx/onnx_testing.h"
#include "fovea/tasks/classify/classify.h"
#include "fovea/tasks/language/language.h"
#include "fovea/tasks/tag/tag.h"
#include "fovea/tasks/translate/translation_model.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

Tokenizer words_of(TokenizerKind kind = TokenizerKind::words) {
  std::vector<std::string> lines = {"a dog runs", "a cat sleeps", "two dogs play"};
  return Tokenizer::train({.kind = kind, .vocabulary = 0}, [&](std::string& line) {
    if (lines.empty()) return false;
    line = lines.back();
    lines.pop_back();
    return true;
  });
}

TextEncoderConfig small() {
  TextEncoderConfig c;
  c.layers = 1, c.width = 8, c.hidden = 12, c.heads = 2, c.longest = 16;
  return c;
}

class Export : public ::testing::Test {
 protected:
  Export() : folder(fs::path(::testing::TempDir()) / concat("export.", ::getpid())) {
    fs::create_directories(folder / "model");
  }
  ~Export() override { fs::remove_all(folder); }

  template <class Model>
  void save(const Model& model) const {
    model.save_rest(folder / "model");
    std::vector<NamedTensor> tensors;
    for (const Parameter& each : model.params->all()) {
      tensors.push_back({each.name, each.var.value()});
    }
    write_safetensors(folder / "model" / "model.safetensors", tensors);
  }
  Classify classifier(ClassifierFamily family) const {
    ClassifyRecipe recipe;
    recipe.data.labels = {"bad", "good"};
    recipe.model.family = family;
    recipe.model.encoder = small();
    return {recipe, {{"words", words_of()}}, std::make_unique<Params>(1)};
  }
  std::string refused() const {
    try {
      export_onnx(folder / "model", folder / "out.onnx");
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  fs::path folder;
};

TEST_F(Export, AClassifierTellsItsLabels) {
  const Classify model = classifier(ClassifierFamily::encoder);
  save(model);
  const auto files = export_onnx(folder / "model", folder / "out.onnx");
  ASSERT_EQ(files, std::vector<fs::path>{folder / "out.onnx"});
  const auto graph = onnx::ReadGraph::open(files[0]);
  EXPECT_EQ(graph.notes.at("labels"), R"(["bad","good"])");
  EXPECT_EQ(graph.outputs.at("logits"), "f32 (batch_size, 2)");
  for (const Parameter& each : model.params->all()) {
    EXPECT_TRUE(identical(graph.weights.at(each.name), each.var.value())) << each.name;
  }
}

TEST_F(Export, ALanguageModelAndATranslatorAreWritten) {
  LanguageRecipe language;
  static_cast<TextEncoderConfig&>(language.model) = small();
  for (const bool bias : {false, true}) {
    language.model.out_bias = bias;
    save(WritingModel(language, {{"text", words_of(TokenizerKind::characters)}},
                      std::make_unique<Params>(1)));
    export_onnx(folder / "model", folder / "out.onnx");
    const auto graph = onnx::ReadGraph::open(folder / "out.onnx");
    EXPECT_TRUE(graph.outputs.contains("logits"));
    EXPECT_EQ(graph.weights.contains("out.bias"), bias);
  }

  TranslateRecipe translate;
  auto& net = std::get<TransformerConfig>(translate.model.config);
  net.width = 8;
  net.heads = 2;
  save(TranslationModel(translate, {{"source", words_of()}}, std::make_unique<Params>(1)));
  const auto files = export_onnx(folder / "model", folder / "out");
  EXPECT_EQ(files, (std::vector<fs::path>{folder / "out" / "encoder_model.onnx",
                                          folder / "out" / "decoder_model.onnx"}));
  EXPECT_TRUE(onnx::ReadGraph::open(files[1]).inputs.contains("encoder_hidden_states"));
}

TEST_F(Export, WhatIsNotWrittenIsNamedWithItsFolder) {
  save(classifier(ClassifierFamily::static_sum));
  EXPECT_NE(refused().find("model.family"), std::string::npos) << refused();
  EXPECT_NE(refused().find((folder / "model").string()), std::string::npos);
  EXPECT_FALSE(fs::exists(folder / "out.onnx"));

  TagRecipe tags;
  tags.data.tags = {"O", "B-X"};
  tags.data.intents = {"ask", "tell"};
  tags.text.letters = false;
  static_cast<TextEncoderConfig&>(tags.model) = small();
  save(TaggingModel(tags, {{"words", words_of(TokenizerKind::characters)}},
                    std::make_unique<Params>(1)));
  EXPECT_NE(refused().find("data.intents"), std::string::npos) << refused();

  fs::remove(folder / "model" / "config.json");
  const std::string name = (folder / "model").string();
  EXPECT_TRUE(refused().starts_with(name + ": no model there")) << refused();  // once
}

}  // namespace
}  // namespace fovea
