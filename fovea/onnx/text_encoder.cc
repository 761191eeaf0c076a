#include "fovea/onnx/text_encoder.h"

#include <numbers>

#include "fovea/models/text_transformer.h"
#include "fovea/onnx/layers.h"
#include "fovea/onnx/transformer_layer.h"

namespace fovea::onnx {
namespace {

using Axes = std::vector<Dim>;

Value as_numbers(Graph& g, const Value& mask) {
  return g.node("Cast", {mask}, {{"to", static_cast<Dim>(Type::f32)}});
}

/// The sum of the rows of each text, weighed (B, S): (B, W).
Value weighed(Graph& g, const Value& weights, const EncodedTexts& encoded) {
  const Value wide = g.node("Unsqueeze", {weights, g.numbers(Axes{1})});  // (B, 1, S)
  const Value sum =
      g.node("MatMul", {wide, by_text(g, encoded.batch, encoded.rows, encoded.width)});
  return g.node("Squeeze", {sum, g.numbers(Axes{1})});
}

Value first_rows(Graph& g, const EncodedTexts& encoded) {
  const Value place = g.node("ArgMax", {as_numbers(g, encoded.batch.mask)}, {{"axis", Dim{1}}});
  const Value rows = by_text(g, encoded.batch, encoded.rows, encoded.width);
  return g.node("GatherND", {rows, place}, {{"batch_dims", Dim{1}}});
}

Value text_input(Graph& g, const TextInput& input, const Batch& batch, const Value& ids,
                 const TextEncoderConfig& c) {
  Value x = embedding(g, input.tokens, flat(g, ids));  // (N, W)
  if (input.kinds) {
    // One kind says nothing: the file then asks for none.
    const Value kind = c.kinds > 1 ? g.input("token_type_ids", Type::i64, {texts, places})
                                   : g.node("Sub", {ids, ids});
    x = g.node("Add", {x, embedding(g, *input.kinds, flat(g, kind))});
  }
  x = with_places(g, input.places, c.width, x, batch);
  return input.norm ? norm(g, *input.norm, x) : x;
}

}  // namespace

Value with_places(Graph& g, const Places& told, Dim width, const Value& x, const Batch& batch) {
  const Value rows = flat(g, batch.places);
  if (told.learned) {
    return g.node("Add", {x, g.node("Gather", {g.weight(told.learned->weight), rows})});
  }
  const auto layout = sinusoids_of(told.positions);
  if (!layout) return x;
  std::vector<double> frequencies, offsets;
  for (Dim c = 0; c < width; ++c) {
    const Sinusoid wave = sinusoid(c, width, *layout);
    frequencies.push_back(wave.frequency);
    offsets.push_back(wave.cosine ? std::numbers::pi / 2 : 0);
  }
  return g.node("Add", {x, waves(g, rows, frequencies, offsets)});
}

EncodedTexts encode_texts(Graph& g, const TextEncoder& encoder) {
  const auto* model = dynamic_cast<const TextTransformer*>(&encoder);
  FOVEA_CHECK(model, "onnx: only Transformers are written; this model's encoder is of another ",
              "family (model.encoder.family, of a tagger model.family)");
  const TextEncoderConfig& c = model->config;
  FOVEA_CHECK(c.letters == 0, "onnx: an encoder that reads the letters of words ",
              "(model.encoder.letters) is not written");
  const Value ids = g.input("input_ids", Type::i64, {texts, places});
  const Batch batch = batch_of(g, g.input("attention_mask", Type::i64, {texts, places}));
  const Value x = text_input(g, model->input, batch, ids, c);
  return {encoder_stack(g, model->stack, x, batch), c.width, batch};
}

Value context_attention(Graph& g, const ContextAttention& layer, const EncodedTexts& encoded) {
  const Value scores = linear(g, layer.context, linear(g, layer.map, encoded.rows));  // (N, 1)
  const Value of_texts = g.node("Reshape", {scores, encoded.batch.shape});            // (B, S)
  const Value weights =
      g.node("Softmax", {masked(g, encoded.batch.mask, of_texts)}, {{"axis", Dim{-1}}});
  return weighed(g, weights, encoded);
}

Value pooled(Graph& g, const TextPooler& pooler, const EncodedTexts& encoded) {
  const Batch& batch = encoded.batch;
  switch (pooler.pooling) {
    case TextPooling::first:
      return linear(g, *pooler.first, first_rows(g, encoded));
    case TextPooling::first_row:
      return first_rows(g, encoded);
    case TextPooling::mean: {
      const Value mask = as_numbers(g, batch.mask);
      const Value count = g.node("ReduceSum", {mask, g.numbers(Axes{1})});  // (B, 1)
      const Value divisor = g.node("Max", {count, g.number(1)});
      return g.node("Div", {weighed(g, mask, encoded), divisor});
    }
    case TextPooling::max: {
      const Value rows = by_text(g, batch, encoded.rows, encoded.width);  // (B, S, W)
      const Value tokens = g.node("Unsqueeze", {batch.mask, g.numbers(Axes{2})});
      return g.node("ReduceMax", {masked(g, tokens, rows)},
                    {{"axes", Axes{1}}, {"keepdims", Dim{0}}});
    }
    case TextPooling::attention:
      return context_attention(g, *pooler.attention, encoded);
  }
  fail(ErrorKind::internal, "onnx: no such pooling");
}

}  // namespace fovea::onnx
