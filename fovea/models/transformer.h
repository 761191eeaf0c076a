/// The Transformer: Vaswani et al. 2017, "Attention is all you need".
///
///   memory = encoder(source),   P(y_t | y_<t, source) = softmax(W decoder(y_<t, memory)_t + b)
///
/// Letters: M rows of sources, N rows of targets, W width, V vocabulary.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "fovea/models/encoder_decoder.h"
#include "fovea/models/encoder_stack.h"
#include "fovea/models/places.h"
#include "fovea/nn/embedding.h"
#include "fovea/nn/ngram_embedding.h"

namespace fovea {

/// Which tables of vectors are one and the same: 3.4 of the paper.
enum class Tied {
  none,
  output,  // the target's embedding and the last layer
  all,     // and the source's embedding, which needs one vocabulary for both
};
constexpr std::array<std::string_view, 3> names_of(Tied) { return {"none", "output", "all"}; }

enum class Preset {
  tiny,   // 4 + 4 layers of 128: Multi30k and other small data (Wu et al. 2021)
  small,  // 3 + 3 layers of 256
  base,   // 6 + 6 layers of 512: the paper's table 3
  big,    // 6 + 6 layers of 1,024
};
constexpr std::array<std::string_view, 4> names_of(Preset) {
  return {"tiny", "small", "base", "big"};
}

struct TransformerConfig : Vocabularies {
  Dim encoder_layers = 6, decoder_layers = 6;
  Dim width = 512;
  Dim heads = 8;
  Dim hidden = 2048;  // of the feed-forward
  Activation activation = Activation::relu;
  NormPlace norm = NormPlace::post;
  Positions positions = Positions::sinusoidal;
  Dim longest = 1024;  // places that learned positions have; distances that relative ones tell
                       // apart are at most 32
  /// In training a source and its target begin at a place drawn up to this: for sinusoidal and
  /// learned positions that should be of use beyond the lengths that were trained.
  Dim offset = 0;
  Tied tied = Tied::output;
  /// The encoder is also given vectors of runs of so many ids: nn/ngram_embedding.h.
  std::vector<Dim> source_ngrams = {};
  Dim ngram_buckets = 8192;
  double ngram_dropout = 0;       // of whole runs
  double dropout = 0.1;           // of embeddings and after each sublayer: 5.4
  double attention_dropout = 0;   // of the weights
  double activation_dropout = 0;  // inside the feed-forward
  /// Translate before the source has ended: target t is written when lag + t source rows are
  /// known, and the encoder looks back only. Ma et al. 2019, wait-k. 0: wait for the whole source.
  Dim lag = 0;

  static TransformerConfig preset(Preset preset);

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("source_vocabulary", source_vocabulary);
    visit("target_vocabulary", target_vocabulary);
    visit("encoder_layers", encoder_layers);
    visit("decoder_layers", decoder_layers);
    visit("width", width);
    visit("heads", heads);
    visit("hidden", hidden);
    visit("activation", activation);
    visit("norm", norm);
    visit("positions", positions);
    visit("longest", longest);
    visit("offset", offset);
    visit("tied", tied);
    visit("source_ngrams", source_ngrams);
    visit("ngram_buckets", ngram_buckets);
    visit("ngram_dropout", ngram_dropout);
    visit("dropout", dropout);
    visit("attention_dropout", attention_dropout);
    visit("activation_dropout", activation_dropout);
    visit("lag", lag);
  }
};

/// An Error that names the key, if what a recipe says cannot make a model.
void check(const TransformerConfig& config);

/// What such a Transformer's layers have in common.
TransformerLayerConfig layer_config(const TransformerConfig& config);

/// Vectors of ids, with what is told of their places: the way into a stack of layers.
struct TransformerInput {
  Embedding tokens;
  Places places;
  TransformerConfig config;

  TransformerInput(Scope s, Dim vocabulary, const TransformerConfig& config);
  /// The same table as `shared`.
  TransformerInput(Scope s, const Embedding& shared, const TransformerConfig& config);
  Var operator()(const Sequences& rows, std::span<const Dim> seen, const Pass& pass) const;
};

struct TransformerEncoder : Encoder {
  TransformerInput input;
  std::optional<NgramEmbedding> ngrams;
  EncoderStack stack;

  TransformerEncoder(Scope s, const TransformerConfig& config);
  Encoded operator()(const Sequences& sources, const Pass& pass) const override;
  AttentionLayers attention_layers() const override { return stack.attention_layers(); }
};

struct TransformerDecoder : Decoder {
  TransformerConfig config;
  TransformerInput input;
  std::vector<DecoderLayer> layers;
  std::optional<Norm> norm;
  OutputLayer last;

  /// `source`: the embedding to share with Tied::all.
  TransformerDecoder(Scope s, const TransformerConfig& config, const Embedding& source);

  Decoded decode(const Sequences& targets, const Encoded& source, const Pass& pass,
                 const DecoderOptions& options) const override;
  const OutputLayer& out() const override { return last; }
  AttentionLayers attention_layers() const override;
};

struct Transformer {
  TransformerConfig config;
  TransformerEncoder encoder;
  TransformerDecoder decoder;

  Transformer(Scope s, const TransformerConfig& config)
      : config(config),
        encoder(s / "encoder", config),
        decoder(s / "decoder", config, encoder.input.tokens) {}
};

}  // namespace fovea
