/// Pictures of where an encoder's layers looked.
#pragma once

#include <string>
#include <vector>

#include "fovea/inspect/attention_map.h"
#include "fovea/inspect/document_heat.h"

namespace fovea {

/// The words shaded by what the rows [begin, end) of the weights gave them, on average.
DocumentHeat shaded(std::string title, const std::vector<std::string>& words, const Tensor& weights,
                    Dim begin, Dim end);

}  // namespace fovea
