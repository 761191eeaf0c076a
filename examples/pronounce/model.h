/// Letters in, sounds out: the Transformer of Vaswani et al. 2017, with the norm first in each
/// sublayer (Xiong et al. 2020), which trains without care.
///
/// Letters: M rows of letters, N rows of sounds, W width.
#pragma once

#include <span>
#include <vector>

#include "fovea/models/transformer_layer.h"
#include "fovea/nn/embedding.h"
#include "pronounce/dictionary.h"

namespace pronounce {

/// Sequences as one row of ids and where each begins.
struct Sequences {
  fovea::Tensor ids;  // (N) i32
  fovea::Segments segments;
};
Sequences joined(std::span<const Ids> sequences);

struct ModelConfig {
  fovea::Dim letters = 0, sounds = 0;  // how many there are
  fovea::Dim layers = 2;               // of the encoder and of the decoder
  fovea::Dim width = 128;
  fovea::Dim heads = 4;
  fovea::Dim hidden = 512;
  double dropout = 0.1;
};

struct Model {
  ModelConfig config;
  fovea::Embedding letters, sounds;
  std::vector<fovea::EncoderLayer> encoder;
  std::vector<fovea::DecoderLayer> decoder;
  fovea::LayerNorm encoder_norm, decoder_norm;
  fovea::Linear out;  // (sounds, W)

  Model(fovea::Scope s, const ModelConfig& config);

  fovea::Var encode(const Sequences& words, const fovea::Pass& pass) const;  // (M, W)
  /// What stands behind each next sound, given those before it.
  fovea::Var decode(const Sequences& spoken, const fovea::Var& memory, const fovea::Segments& words,
                    const fovea::Pass& pass) const;  // (N, W)
};

/// The likeliest next sound, again and again, for all words at once.
std::vector<Ids> pronounce_greedily(const Model& model, std::span<const Ids> words);

/// How much of each sound's attention each letter had in the last layer of the decoder, as the
/// mean of its heads: (sounds, letters).
fovea::Tensor attention_of(const Model& model, const Ids& letters, const Ids& sounds);

}  // namespace pronounce
