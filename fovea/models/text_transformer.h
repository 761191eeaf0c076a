/// A Transformer without a decoder of its own: BERT (Devlin et al. 2019), or, looking back only,
/// GPT (Radford et al. 2018, 2019; with rotary positions, RMS norm, gates and shared heads of keys
/// Llama, Touvron et al. 2023).
#pragma once

#include <optional>

#include "fovea/models/encoder_stack.h"
#include "fovea/models/letter_features.h"
#include "fovea/models/text_encoder.h"
#include "fovea/nn/linear.h"

namespace fovea {

/// The sum of all vectors that tell something of a token: itself, its place, its text, its letters.
struct TextInput {
  Embedding tokens;
  Places places;
  std::optional<Embedding> kinds;
  std::optional<LetterFeatures> letters;
  std::optional<Linear> letters_in;  // their features to the width
  std::optional<Norm> norm;
  double drop;

  TextInput(Scope s, const TextEncoderConfig& config);
  Var operator()(const TextRows& rows, const Pass& pass) const;  // (N, W)
};

struct TextTransformer : TextEncoder {
  TextEncoderConfig config;
  TextInput input;
  EncoderStack stack;

  TextTransformer(Scope s, const TextEncoderConfig& config);
  Var operator()(const TextRows& rows, const Pass& pass) const override;
  Dim width() const override { return config.width; }
  const Embedding& tokens() const override { return input.tokens; }
  std::vector<std::string> looks() const override;
};

}  // namespace fovea
