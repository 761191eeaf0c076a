/// Heat maps as PNG: a square of pixels for each weight and nothing else, for maps too large for
/// labels and for programs that look at pictures. svg_map.h has those with names.
#pragma once

#include <string>

#include "fovea/inspect/attention_map.h"

namespace fovea {

/// A row for each query, a column for each key, about 1,000 pixels on the longer side; beyond so
/// many weights a pixel each.
std::string png_map(const AttentionMap& map);

}  // namespace fovea
