/// Encoders of texts as Hugging Face's transformers saves them: what their config.json means here,
/// and what their tensors are called. Each architecture is a function of its own.
#pragma once

#include <filesystem>
#include <string>

#include "fovea/config/config.h"
#include "fovea/hub/name_map.h"
#include "fovea/models/text_encoder.h"

namespace fovea {

struct HubTextModel {
  std::string type;           // "bert", "roberta", "distilbert", "gpt2", "llama"
  std::string prefix;         // before the names of the encoder's tensors: "bert."
  TextEncoderConfig encoder;  // of a TextEncoder that computes the same
  NameMap names;              // its parameters below the scope that was given
};

/// `config`: their config.json. `scope`: where the encoder's parameters stand, "encoder". Settings
/// that are not supported are refused by name.
HubTextModel hub_text_model(const Json& config, const HubWeights& weights,
                            const std::string& scope);
/// The same for a model that is to be written: its tensors are called as `prefix` says.
HubTextModel hub_text_model(const Json& config, const std::string& prefix,
                            const std::string& scope);

}  // namespace fovea
