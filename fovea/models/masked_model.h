/// Words told from their surroundings: an encoder learns from text alone by filling in what was
/// hidden from it. Devlin et al. 2019, "BERT", 3.1; without next sentences Liu et al. 2019,
/// "RoBERTa".
///
///   h = encoder(text with masks),  t_i = norm(gelu(W h_i + b)) for each hidden place i
///   p(word at i) = softmax(E t_i + c),  E the encoder's own vectors of tokens
///   p(second follows first) = softmax(W_n tanh(W_p h_1 + b_p) + b_n)
///
/// Letters: N rows, M hidden places, B texts, W width, V vocabulary.
#pragma once

#include "fovea/models/text_encoder.h"
#include "fovea/models/text_pooler.h"
#include "fovea/nn/norm.h"

namespace fovea {

struct MaskedModelConfig {
  TextEncoderConfig encoder;
  bool next_sentence = false;  // also learns whether the second of two parts followed the first

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("encoder", encoder);
    visit("next_sentence", next_sentence);
  }
};

/// An Error that names the key, if what a recipe says cannot make a model.
inline void check(const MaskedModelConfig& config) { check(config.encoder, "model.encoder"); }

struct MaskedModel {
  std::unique_ptr<TextEncoder> encoder;
  Linear transform;
  Norm norm;
  Var bias;                          // (V): c
  std::optional<TextPooler> pooler;  // of next sentences
  std::optional<Linear> next;        // (B, 2): it does not follow, it does

  MaskedModel(Scope s, const MaskedModelConfig& config);

  /// Of the rows h (N, W) of the encoder those at `places` (M) i32, as the vectors of tokens are
  /// compared with: (M, W).
  Var hidden(const Var& h, const Tensor& places) const;
  /// Of what hidden() gave: a score for each token, (M, V).
  Var logits(const Var& hidden) const;
  /// -log p of the targets (M) i32, summed; no row that nobody asks for meets the vocabulary.
  Var loss(const Var& hidden, const Tensor& targets) const;
  Var next_logits(const Var& h, const Segments& texts, const Pass& pass) const;
};

}  // namespace fovea
