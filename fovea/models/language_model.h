/// Language models: which token comes next? A text encoder that looks back only, and a last layer.
///
///   P(x_1 ... x_n) = prod_t P(x_t | x_1 ... x_{t-1})
///
/// Settings make it GPT-2 (Radford et al. 2019: learned positions, pre-norm, gelu, tied), Llama
/// (Touvron et al. 2023: rotary positions, RMS norm, SwiGLU, no biases) or a recurrent model
/// (Zaremba et al. 2014).
///
/// Letters: N tokens (rows), W width, V vocabulary.
#pragma once

#include <memory>

#include "fovea/models/encoder_decoder.h"
#include "fovea/models/text_encoder.h"

namespace fovea {

struct LanguageModelConfig : TextEncoderConfig {
  bool tied = true;  // the last layer's weight is that of the tokens' vectors: Press and Wolf 2017
  bool out_bias = false;  // of the last layer; neither GPT-2 nor Llama has one

  template <class Visitor>
  void fields(Visitor& visit) {
    TextEncoderConfig::fields(visit);
    visit("tied", tied);
    visit("out_bias", out_bias);
  }
};

/// An Error that names the key, if what a recipe says cannot make a model.
inline void check(const LanguageModelConfig& config) { check(config, "model"); }

struct LanguageModel {
  std::unique_ptr<TextEncoder> encoder;
  OutputLayer out;

  LanguageModel(Scope s, const LanguageModelConfig& config);

  /// What stands behind the token after each row: (N, W). With a cache, rows are what each text has
  /// not been given yet.
  Var operator()(const Sequences& tokens, const Pass& pass) const;
  /// The sum of -log P(next) over the rows whose next token is not negative.
  Var loss_sum(const Sequences& tokens, const Tensor& next, const Pass& pass) const;
};

}  // namespace fovea
