#include "fovea/models/text_transformer.h"

#include "fovea/models/encoder_decoder.h"
#include "fovea/ops/dropout.h"
#include "fovea/ops/elementwise.h"

namespace fovea {
namespace {

TransformerLayerConfig layer_of(const TextEncoderConfig& c) {
  TransformerLayerConfig layer = {.attention = {.width = c.width,
                                                .heads = c.heads,
                                                .kv_heads = c.kv_heads,
                                                .dropout = c.attention_dropout,
                                                .bias = c.bias,
                                                .causal = c.causal},
                                  .hidden = c.hidden,
                                  .feed_forward = {.activation = c.activation,
                                                   .gated = c.gated,
                                                   .bias = c.bias,
                                                   .dropout = c.activation_dropout},
                                  .norm = c.norm,
                                  .norm_kind = c.norm_kind,
                                  .eps = c.norm_eps,
                                  .dropout = c.dropout};
  tell_distances(layer.attention, c.positions);
  if (layer.attention.rope) layer.attention.rope->base = c.rotary_base;
  return layer;
}

/// Sinusoids are of size 1, so the vectors beside them are too. Others have variance 1/W: drawn
/// with a deviation of 0.02, as GPT and BERT draw them together with all other weights, they would
/// drown in what layers that keep the size of their input add to them.
EmbeddingConfig tokens_of(const TextEncoderConfig& c) {
  return {.scaled = sinusoids_of(c.positions).has_value()};
}

}  // namespace

TextInput::TextInput(Scope s, const TextEncoderConfig& c)
    : tokens(s / "tokens", c.vocabulary, c.width, tokens_of(c)),
      places(s / "places", c.positions, c.longest, c.width),
      drop(c.dropout) {
  if (c.kinds > 0) {
    kinds.emplace(s / "kinds", c.kinds, c.width, EmbeddingConfig{.init = init::normal(0.02)});
  }
  if (c.letters > 0) {
    letters.emplace(s / "letters", c.letters, c.letter_width, c.letter_windows, c.letter_filters);
    letters_in.emplace(s / "letters_in", letters->width(), c.width);
  }
  if (c.input_norm) norm.emplace(s / "norm", c.width, c.norm_kind, c.norm_eps);
}

Var TextInput::operator()(const TextRows& rows, const Pass& pass) const {
  const Segments& segments = rows.tokens.segments;
  Var x = tokens(rows.tokens.ids);  // (N, W)
  if (kinds) {
    const Tensor first = Tensor::zeros({segments.rows()}, DType::i32);
    x = add(x, (*kinds)(rows.kinds.defined() ? rows.kinds : first));
  }
  if (letters) x = add(x, (*letters_in)((*letters)(rows.letters)));
  x = places(x, segments, seen_by(pass.cache, segments.count()));
  if (norm) x = (*norm)(x);
  return dropout(x, drop, pass.rng);
}

TextTransformer::TextTransformer(Scope s, const TextEncoderConfig& c)
    : config(c), input(s, c), stack(s, c.layers, layer_of(c), "last") {}

Var TextTransformer::operator()(const TextRows& rows, const Pass& pass) const {
  return stack(input(rows, pass), rows.tokens.segments, pass);
}

std::vector<std::string> TextTransformer::looks() const {
  std::vector<std::string> names;
  for (const EncoderLayer& layer : stack.layers) names.push_back(layer.self.name);
  return names;
}

}  // namespace fovea
