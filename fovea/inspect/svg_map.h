/// Heat maps as stand-alone SVG: a row for each query, a column for each key.
#pragma once

#include <span>
#include <string>

#include "fovea/inspect/attention_map.h"

namespace fovea {

std::string svg_map(const AttentionMap& map);

/// Many of them side by side, small: every head, every step of a model with several.
std::string svg_maps(std::span<const AttentionMap> maps, const std::string& title);

}  // namespace fovea
