/// Settings of a search that were given but change nothing, so that nobody believes they do.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/decode/search.h"

namespace fovea {

/// Whether this key is among the settings ("decode.beam=8").
bool is_set(std::span<const std::string> settings, std::string_view key);

/// A sentence for each setting that means nothing to this search: "decode.beam (--beam) has no
/// effect, as the search is greedy; add --search beam".
std::vector<std::string> idle_settings(const DecodeConfig& decode,
                                       std::span<const std::string> settings);

}  // namespace fovea
