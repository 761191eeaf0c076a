#include "fovea/onnx/translator.h"

#include "fovea/onnx/layers.h"
#include "fovea/onnx/text_encoder.h"
#include "fovea/onnx/transformer_layer.h"

namespace fovea::onnx {
namespace {

using Axes = std::vector<Dim>;

const Extent source_places = {.name = "encoder_sequence_length"};
const Extent target_places = {.name = "decoder_sequence_length"};

Value transformer_input(Graph& g, const TransformerInput& input, const Value& ids,
                        const Batch& batch) {
  const Value x = embedding(g, input.tokens, flat(g, ids));  // (N, W)
  return with_places(g, input.places, input.config.width, x, batch);
}

void check_lag(const TransformerConfig& c) {
  FOVEA_CHECK(c.lag == 0, "onnx: a translator that lags behind its source (model.lag = ", c.lag,
              ") is not written");
}

}  // namespace

void add_encoder(Graph& g, const TransformerEncoder& encoder) {
  const TransformerConfig& c = encoder.input.config;
  check_lag(c);
  FOVEA_CHECK(!encoder.ngrams, "onnx: an encoder with model.source_ngrams is not written");
  const Value ids = g.input("input_ids", Type::i64, {texts, source_places});
  const Batch batch = batch_of(g, g.input("attention_mask", Type::i64, {texts, source_places}));
  const Value x =
      encoder_stack(g, encoder.stack, transformer_input(g, encoder.input, ids, batch), batch);
  g.output("last_hidden_state", by_text(g, batch, x, c.width), Type::f32,
           {texts, source_places, {c.width}});
}

void add_decoder(Graph& g, const TransformerDecoder& decoder) {
  const TransformerConfig& c = decoder.config;
  check_lag(c);
  const Value ids = g.input("input_ids", Type::i64, {texts, target_places});
  const Value states =
      g.input("encoder_hidden_states", Type::f32, {texts, source_places, {c.width}});
  const Value mask = g.input("encoder_attention_mask", Type::i64, {texts, source_places});
  const Value all = g.node("Expand", {g.numbers(Axes{1}), g.node("Shape", {ids})});
  const Batch batch = batch_of(g, all);  // padding after a target is seen by no token of it
  const SeenMemory memory = {g.node("Reshape", {states, g.numbers(Axes{-1, c.width})}),
                             batch_of(g, mask)};
  Value x = transformer_input(g, decoder.input, ids, batch);
  if (!decoder.layers.empty()) {
    const Surroundings around = surroundings(g, batch, decoder.layers.front().self.config);
    for (const DecoderLayer& layer : decoder.layers) {
      x = decoder_layer(g, layer, x, batch, around, memory);
    }
  }
  if (decoder.norm) x = norm(g, *decoder.norm, x);
  const Value logits = linear(g, decoder.last.weight, decoder.last.bias, x);
  g.output("logits", by_text(g, batch, logits, decoder.last.weight.rows()), Type::f32,
           {texts, target_places, {decoder.last.weight.rows()}});
}

}  // namespace fovea::onnx
