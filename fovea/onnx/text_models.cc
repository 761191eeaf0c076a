#include "fovea/onnx/text_models.h"

#include <cmath>

#include "fovea/onnx/layers.h"
#include "fovea/onnx/text_encoder.h"

namespace fovea::onnx {
namespace {

/// Rows of scores (N, columns) as an output for each place.
void output_of_places(Graph& g, const char* name, const EncodedTexts& encoded, const Value& rows,
                      Dim columns) {
  g.output(name, by_text(g, encoded.batch, rows, columns), Type::f32, {texts, places, {columns}});
}

}  // namespace

void add_model(Graph& g, const MaskedModel& model) {
  const EncodedTexts encoded = encode_texts(g, *model.encoder);
  const Value hidden = norm(g, model.norm, linear(g, model.transform, encoded.rows));
  const Var& table = model.encoder->tokens().weight;
  output_of_places(g, "logits", encoded, linear(g, table, model.bias, hidden), table.rows());
}

void add_model(Graph& g, const LanguageModel& model) {
  const EncodedTexts encoded = encode_texts(g, *model.encoder);
  const Value logits = linear(g, model.out.weight, model.out.bias, encoded.rows);
  output_of_places(g, "logits", encoded, logits, model.out.weight.rows());
}

void add_model(Graph& g, const SentenceEncoder& model) {
  const EncodedTexts encoded = encode_texts(g, *model.encoder);
  Value vector = pooled(g, model.pooler, encoded);  // (B, W)
  if (model.normalise) {
    const auto root = static_cast<float>(std::sqrt(static_cast<double>(encoded.width)));
    vector = g.node("Div", {rms(g, vector, 1e-12), g.number(root)});  // rms leaves sqrt(W)
  }
  output_of_places(g, "token_embeddings", encoded, encoded.rows, encoded.width);
  g.output("sentence_embedding", vector, Type::f32, {texts, {encoded.width}});
}

void add_model(Graph& g, const EncoderClassifier& model) {
  const EncodedTexts encoded = encode_texts(g, model.encoder());
  const Value logits = linear(g, model.out(), pooled(g, model.pooler(), encoded));
  g.output("logits", logits, Type::f32, {texts, {model.out().weight.rows()}});
}

void add_model(Graph& g, const Tagger& model) {
  const EncodedTexts encoded = encode_texts(g, model.encoder());
  const Dim tags = model.out().weight.rows();
  output_of_places(g, "logits", encoded, linear(g, model.out(), encoded.rows), tags);
  if (const auto& field = model.field()) {
    g.output("transitions", g.weight(field->transitions), Type::f32, {{tags}, {tags}});
    g.output("begin", g.weight(field->begin), Type::f32, {{tags}});
    g.output("end", g.weight(field->end), Type::f32, {{tags}});
  }
  if (const auto& intent = model.intent()) {
    const Value logits = linear(g, intent->out, context_attention(g, intent->look, encoded));
    g.output("intent_logits", logits, Type::f32, {texts, {intent->out.weight.rows()}});
  }
}

void add_model(Graph& g, const Answerer& model) {
  FOVEA_CHECK(model.config.kind == AnswerKind::span, "onnx: a model that chooses sentences ",
              "(model.kind = \"choice\") is not written; one that points at spans is");
  const EncodedTexts encoded = encode_texts(g, *model.encoder);
  const auto columns =
      g.nodes("Split", {linear(g, model.out, encoded.rows), g.numbers(std::vector<Dim>{1, 1})}, 2,
              {{"axis", Dim{1}}});
  g.output("start_logits", g.node("Reshape", {columns[0], encoded.batch.shape}), Type::f32,
           {texts, places});
  g.output("end_logits", g.node("Reshape", {columns[1], encoded.batch.shape}), Type::f32,
           {texts, places});
}

}  // namespace fovea::onnx
