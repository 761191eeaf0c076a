/// How a folder of sentence-transformers' (Reimers and Gurevych 2019) makes one vector of a text's
/// rows: modules.json names the steps, and each step has a folder of its own.
#pragma once

#include <filesystem>
#include <optional>

#include "fovea/models/text_pooler.h"

namespace fovea {

struct HubPooling {
  TextPooling pooling = TextPooling::mean;
  bool normalise = true;
  std::optional<Dim> longest = {};  // tokens of a text with the marks around it
  bool told = false;                // there is a modules.json
};

/// Steps that are not known here are an Error that names them.
HubPooling hub_pooling(const std::filesystem::path& folder, Dim width);

}  // namespace fovea
