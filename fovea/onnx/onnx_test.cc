/// What stands in the files. That runtimes compute the same from them is checked by `make
/// test-peers`.
#include <gtest/gtest.h>
#include <unistd.h>

#include <set>

#include "fovea/onnx/onnx_testing.h"
#include "fovea/onnx/text_models.h"
#include "fovea/onnx/translator.h"

namespace fovea::onnx {
namespace {

namespace fs = std::filesystem;

TextEncoderConfig small() {
  TextEncoderConfig c;
  c.vocabulary = 11, c.layers = 2, c.width = 8, c.hidden = 12, c.heads = 2, c.longest = 7;
  return c;
}

ReadGraph written(const Graph& graph) {
  const fs::path path = fs::path(::testing::TempDir()) / concat("graph.", ::getpid(), ".onnx");
  graph.write(path);
  ReadGraph read = ReadGraph::open(path);
  fs::remove(path);
  return read;
}

template <class Model>
ReadGraph written(const Params& params, const Model& model) {
  Graph graph(params);
  add_model(graph, model);
  return written(graph);
}

/// Every value is made before it is used, and by one node.
void expect_in_order(const ReadGraph& graph) {
  std::set<std::string> known;
  for (const auto& [name, shape] : graph.inputs) known.insert(name);
  for (const auto& [name, tensor] : graph.weights) EXPECT_TRUE(known.insert(name).second) << name;
  for (const ReadNode& node : graph.nodes) {
    for (const std::string& input : node.inputs) EXPECT_TRUE(known.contains(input)) << input;
    for (const std::string& output : node.outputs) EXPECT_TRUE(known.insert(output).second);
  }
  for (const auto& [name, shape] : graph.outputs) EXPECT_TRUE(known.contains(name)) << name;
}

/// All parameters, once, with their names and bits.
void expect_weights(const ReadGraph& graph, const Params& params) {
  for (const Parameter& parameter : params.all()) {
    ASSERT_TRUE(graph.weights.contains(parameter.name)) << parameter.name;
    EXPECT_TRUE(identical(graph.weights.at(parameter.name), parameter.var.value()));
  }
}

using Shapes = std::map<std::string, std::string>;

TEST(Wire, NumbersTextsAndMessagesAreReadBack) {
  Message inner, outer;
  inner.number(1, -1);
  inner.number(2, 300);
  inner.real(3, 1.5F);
  const std::string large(1000, 'x');
  inner.lend(16, std::as_bytes(std::span(large)));
  inner.lend(17, {});
  outer.text(1, "before");
  outer.message(2, inner);
  outer.text(3, "after");
  std::string bytes;
  outer.write([&](const void* data, std::size_t count) {
    bytes.append(static_cast<const char*>(data), count);
  });
  EXPECT_EQ(bytes.size(), outer.size());
  const ReadMessage read(bytes), within(read.text(2));
  EXPECT_EQ(read.text(1), "before");
  EXPECT_EQ(read.text(3), "after");
  EXPECT_EQ(within.numbers(1), std::vector<Dim>{-1});
  EXPECT_EQ(within.numbers(2), std::vector<Dim>{300});
  EXPECT_EQ(within.text(3), std::string("\0\0\xC0\x3F", 4));
  EXPECT_EQ(within.text(16), large);
  EXPECT_EQ(within.all(17), std::vector<std::string>{""});
}

TEST(Onnx, AMaskedModelHasTheNamesOfHuggingFace) {
  MaskedModelConfig config{.encoder = small()};
  config.encoder.kinds = 2;
  Params params(1);
  const MaskedModel model(params.scope(), config);
  const ReadGraph graph = written(params, model);
  EXPECT_EQ(graph.opset, 17);
  const std::string ids = "i64 (batch_size, sequence_length)";
  EXPECT_EQ(graph.inputs,
            (Shapes{{"input_ids", ids}, {"attention_mask", ids}, {"token_type_ids", ids}}));
  EXPECT_EQ(graph.outputs, (Shapes{{"logits", "f32 (batch_size, sequence_length, 11)"}}));
  expect_in_order(graph);
  expect_weights(graph, params);
}

TEST(Onnx, HeadsHaveOutputsOfTheirOwn) {
  Params params(1);
  TaggerConfig tags;
  static_cast<TextEncoderConfig&>(tags) = small();
  tags.tags = 4, tags.intents = 3;
  const ReadGraph tagger = written(params, Tagger(params.scope() / "tagger", tags));
  EXPECT_EQ(tagger.outputs, (Shapes{{"logits", "f32 (batch_size, sequence_length, 4)"},
                                    {"transitions", "f32 (4, 4)"},
                                    {"begin", "f32 (4)"},
                                    {"end", "f32 (4)"},
                                    {"intent_logits", "f32 (batch_size, 3)"}}));
  expect_in_order(tagger);
  const ReadGraph spans = written(
      params, Answerer(params.scope() / "spans", {.kind = AnswerKind::span, .encoder = small()}));
  EXPECT_EQ(spans.outputs, (Shapes{{"start_logits", "f32 (batch_size, sequence_length)"},
                                   {"end_logits", "f32 (batch_size, sequence_length)"}}));
  expect_in_order(spans);
  const ReadGraph vectors =
      written(params, SentenceEncoder(params.scope() / "vectors", {.encoder = small()}));
  EXPECT_EQ(vectors.outputs, (Shapes{{"token_embeddings", "f32 (batch_size, sequence_length, 8)"},
                                     {"sentence_embedding", "f32 (batch_size, 8)"}}));
  EXPECT_FALSE(vectors.inputs.contains("token_type_ids"));
  expect_in_order(vectors);
}

TEST(Onnx, ATranslatorIsTwoFilesThatShareNoWeightButTheTable) {
  TransformerConfig config;
  config.source_vocabulary = config.target_vocabulary = 9;
  config.encoder_layers = config.decoder_layers = 1;
  config.width = 8, config.heads = 2, config.hidden = 12, config.tied = Tied::all;
  Params params(1);
  const Transformer model(params.scope(), config);
  Graph encoder(params), decoder(params);
  add_encoder(encoder, model.encoder);
  add_decoder(decoder, model.decoder);
  const ReadGraph first = written(encoder), second = written(decoder);
  expect_in_order(first);
  expect_in_order(second);
  for (const Parameter& parameter : params.all()) {
    const std::size_t files =
        first.weights.count(parameter.name) + second.weights.count(parameter.name);
    EXPECT_EQ(files, parameter.name == "encoder.tokens.weight" ? 2U : 1U) << parameter.name;
  }
  EXPECT_EQ(second.inputs.at("encoder_hidden_states"),
            "f32 (batch_size, encoder_sequence_length, 8)");
}

std::string message(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Onnx, WhatIsNotWrittenIsNamed) {
  Params params(1);
  const auto refused = [&](const std::string& scope, auto set) {
    MaskedModelConfig config{.encoder = small()};
    set(config.encoder);
    const MaskedModel model(params.scope() / scope, config);
    return message([&] { written(params, model); });
  };
  EXPECT_NE(
      refused("a", [](auto& c) { c.family = TextFamily::recurrent; }).find("model.encoder.family"),
      std::string::npos);
  EXPECT_NE(refused("b", [](auto& c) { c.letters = 5; }).find("model.encoder.letters"),
            std::string::npos);
  const Answerer chooser(params.scope() / "c", {.encoder = small()});
  EXPECT_NE(message([&] { written(params, chooser); }).find("model.kind"), std::string::npos);
  TransformerConfig config;
  config.source_vocabulary = config.target_vocabulary = 9;
  config.width = 8, config.heads = 2, config.hidden = 12, config.lag = 2;
  const Transformer lagging(params.scope() / "d", config);
  Graph graph(params);
  EXPECT_NE(message([&] { add_encoder(graph, lagging.encoder); }).find("model.lag"),
            std::string::npos);
}

TEST(Onnx, MoreThanAMessageHoldsIsRefused) {
  Params params(1);
  const Tensor table = Tensor::empty({1, 1});
  const Var huge = Var(Tensor::wrap(table.raw(), {600'000'000}, DType::f32, nullptr));
  params.all().push_back({"huge", huge});
  Graph graph(params);
  graph.weight(huge);
  EXPECT_NE(message([&] { graph.write("/nowhere/huge.onnx"); }).find("2400000"), std::string::npos);
}

}  // namespace
}  // namespace fovea::onnx
