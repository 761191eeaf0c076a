/// Recurrent layers over the tokens of texts: in both directions (Graves and Schmidhuber 2005), or
/// looking back only, as a language model (Zaremba et al. 2014).
#pragma once

#include <optional>

#include "fovea/models/elmo.h"
#include "fovea/models/letter_features.h"
#include "fovea/models/text_encoder.h"

namespace fovea {

struct TextRecurrent : TextEncoder {
  std::string name;
  TextEncoderConfig config;
  Embedding vectors;
  std::optional<LetterFeatures> letters;  // beside the vectors
  std::optional<ElmoMix> mix;             // the same: [x; ELMo], Peters et al. 2018, 3.3
  RecurrentStack stack;

  TextRecurrent(Scope s, const TextEncoderConfig& config);
  Var operator()(const TextRows& rows, const Pass& pass) const override;
  Dim width() const override { return config.causal ? config.hidden : 2 * config.hidden; }
  const Embedding& tokens() const override { return vectors; }
  std::vector<std::string> looks() const override { return {}; }
  std::vector<std::string> states() const override;
};

}  // namespace fovea
