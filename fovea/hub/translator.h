/// MarianMT, the translators of OPUS-MT (Tiedemann and Thottingal 2020) as Hugging Face's
/// transformers saves them: what their config.json means here, and what their tensors are called.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "fovea/config/config.h"
#include "fovea/hub/name_map.h"
#include "fovea/models/transformer.h"

namespace fovea {

struct HubTranslator {
  TransformerConfig transformer;    // of a Transformer that computes the same
  NameMap names;                    // its parameters
  std::int32_t begin = 0, end = 0;  // the ids that a target begins and ends with
};

/// Settings that are not supported are refused by name.
HubTranslator hub_translator(const Json& config, const HubWeights& weights);
/// An Error if the file has tensors that such a model does not have: beside those that are read
/// only the same again, and what is computed.
void expect_no_others(const HubTranslator& model, const HubWeights& weights);

/// vocab.json: the pieces by their ids, each id below `size` once.
std::vector<std::string> hub_pieces(const std::filesystem::path& path, Dim size);

}  // namespace fovea
