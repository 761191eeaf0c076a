#include "fovea/models/transformer.h"

#include <algorithm>
#include <iterator>

#include "fovea/base/table_check.h"
#include "fovea/ops/dropout.h"
#include "fovea/ops/elementwise.h"

namespace fovea {
namespace {

TransformerLayerConfig encoder_layer_of(const TransformerConfig& c) {
  TransformerLayerConfig layer = layer_config(c);
  layer.attention.causal = c.lag > 0;  // what is read early must not change when more arrives
  return layer;
}

std::optional<NgramEmbedding> ngrams_of(Scope s, const TransformerConfig& c) {
  if (c.source_ngrams.empty()) return {};
  FOVEA_CHECK(c.lag == 0, ErrorKind::bad_setting,
              "transformer: source_ngrams look ahead, so the encoder cannot read a ",
              "source that is still arriving; set lag = 0, or leave them out");
  return NgramEmbedding(s / "ngrams", c.source_ngrams, c.ngram_buckets, c.width,
                        EmbeddingConfig{.scaled = true});
}

}  // namespace

void check(const TransformerConfig& c) {
  const TableCheck model("model");
  model.layers("encoder_layers", 0, c.encoder_layers);
  model.layers("decoder_layers", 1, c.decoder_layers);
  model.sizes({{"width", c.width},
               {"hidden", c.hidden},
               {"longest", c.longest},
               {"ngram_buckets", c.ngram_buckets}});
  model.heads("heads", c.heads, c.width);
  model.at_least("offset", 0, c.offset);
  model.at_least("lag", 0, c.lag);
  FOVEA_CHECK(c.lag == 0 || c.encoder_layers > 0, ErrorKind::bad_setting,
              "model.encoder_layers: expected at least 1 with ",
              "model.lag: the encoder's layers keep what was read of a source that still arrives");
  model.shares({{"dropout", c.dropout},
                {"attention_dropout", c.attention_dropout},
                {"activation_dropout", c.activation_dropout},
                {"ngram_dropout", c.ngram_dropout}});
}

TransformerLayerConfig layer_config(const TransformerConfig& c) {
  TransformerLayerConfig layer = {
      .attention = {.width = c.width, .heads = c.heads, .dropout = c.attention_dropout},
      .hidden = c.hidden,
      .feed_forward = {.activation = c.activation, .dropout = c.activation_dropout},
      .norm = c.norm,
      .dropout = c.dropout};
  tell_distances(layer.attention, c.positions);
  return layer;
}

TransformerConfig TransformerConfig::preset(Preset preset) {
  const auto sized = [](Dim layers, Dim width, Dim heads, Dim hidden, double dropout) {
    TransformerConfig c;
    c.encoder_layers = c.decoder_layers = layers;
    c.width = width, c.heads = heads, c.hidden = hidden, c.dropout = dropout;
    return c;
  };
  switch (preset) {
    case Preset::tiny:
      return sized(4, 128, 4, 256, 0.3);
    case Preset::small:
      return sized(3, 256, 4, 1024, 0.1);
    case Preset::base:
      return sized(6, 512, 8, 2048, 0.1);
    case Preset::big:
      return sized(6, 1024, 16, 4096, 0.3);
  }
  fail(ErrorKind::internal, "transformer: no such preset");
}

TransformerInput::TransformerInput(Scope s, Dim vocabulary, const TransformerConfig& c)
    : tokens(s / "tokens", vocabulary, c.width, {.scaled = true}),
      places(s / "places", c.positions, c.longest, c.width),
      config(c) {}

TransformerInput::TransformerInput(Scope s, const Embedding& shared, const TransformerConfig& c)
    : tokens(shared), places(s / "places", c.positions, c.longest, c.width), config(c) {}

Var TransformerInput::operator()(const Sequences& rows, std::span<const Dim> seen,
                                 const Pass& pass) const {
  const Var x = places(tokens(rows.ids), rows.segments, seen);  // (N, W)
  return dropout(x, config.dropout, pass.rng);
}

TransformerEncoder::TransformerEncoder(Scope s, const TransformerConfig& c)
    : input(s, c.source_vocabulary, c),
      ngrams(ngrams_of(s, c)),
      stack(s, c.encoder_layers, encoder_layer_of(c)) {}

Encoded TransformerEncoder::operator()(const Sequences& sources, const Pass& pass) const {
  const Dim count = sources.segments.count();
  const std::vector<Dim> begins =
      input.places.with_room(drawn_begins(count, input.config.offset, pass.rng), sources.segments);
  Var x = input(sources, places_after(seen_by(pass.cache, count), begins), pass);  // (M, W)
  if (ngrams) {
    const Var runs = (*ngrams)(sources, input.config.ngram_dropout, pass.rng);  // (M, W)
    x = add(x, dropout(runs, input.config.dropout, pass.rng));
  }
  return {.rows = stack(x, sources.segments, pass), .segments = sources.segments, .begins = begins};
}

TransformerDecoder::TransformerDecoder(Scope s, const TransformerConfig& c, const Embedding& source)
    : config(c),
      input(c.tied == Tied::all ? TransformerInput(s, source, c)
                                : TransformerInput(s, c.target_vocabulary, c)),
      last(c.tied == Tied::none ? OutputLayer(s / "out", c.target_vocabulary, c.width)
                                : OutputLayer(s / "out", input.tokens.weight)) {
  FOVEA_CHECK(c.tied != Tied::all || c.source_vocabulary == c.target_vocabulary,
              ErrorKind::bad_setting,
              "transformer: tied = \"all\" needs one vocabulary for both sides, found ",
              c.source_vocabulary, " and ", c.target_vocabulary);
  for (Dim i = 0; i < c.decoder_layers; ++i) layers.emplace_back(s / i, layer_config(c));
  if (c.norm == NormPlace::pre) norm.emplace(s / "norm", c.width);
}

Decoded TransformerDecoder::decode(const Sequences& targets, const Encoded& source,
                                   const Pass& pass, const DecoderOptions& options) const {
  std::vector<Dim> seen = seen_by(pass.cache, targets.segments.count());
  const std::vector<Dim> begins = input.places.with_room(source.begins, targets.segments);
  Var x = input(targets, places_after(seen, begins), pass);  // (N, W)
  Memory read = {source.rows, source.segments};
  const Dim lag = options.lag < 0 ? config.lag : options.lag;
  if (lag > 0) {
    for (Dim& place : seen) place += lag - 1;
    read.places = Tensor::from<Dim>({targets.segments.count()}, seen);
  }
  Decoded out;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const bool guided = options.guided && options.guided->layer == static_cast<Dim>(i);
    Var queries;
    x = layers[i](x, targets.segments, read, pass, guided ? &queries : nullptr);
    if (!guided) continue;
    out.guided.pairs = pairs_in_reach(targets.segments, source.segments);
    out.guided.weights =
        layers[i].cross.weights(queries, source.rows, out.guided.pairs, options.guided->head);
  }
  out.rows = norm ? (*norm)(x) : x;
  return out;
}

AttentionLayers TransformerDecoder::attention_layers() const {
  AttentionLayers all;
  for (const DecoderLayer& layer : layers)
    std::ranges::copy(layer.attention_layers(), std::back_inserter(all));
  return all;
}

}  // namespace fovea
