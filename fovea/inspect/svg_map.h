/// A heat map as a stand-alone SVG: a row for each query, a column for each key.
#pragma once

#include <string>

#include "fovea/inspect/attention_map.h"

namespace fovea {

std::string svg_map(const AttentionMap& map);

}  // namespace fovea
