/// Attention maps as a page to look through: one file that needs nothing from anywhere.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "fovea/inspect/attention_map.h"
#include "fovea/inspect/document_heat.h"

namespace fovea {

/// Examples with their maps: one for each layer and head, or averages. Of titles such as
/// "decoder.3.cross head 2" the page makes choosers of layer and head. Documents are shown as text
/// with its words shaded, all of them one below the other.
struct AttentionPage {
  std::string title;
  struct Example {
    std::string heading;
    std::vector<AttentionMap> maps;
    std::vector<DocumentHeat> documents = {};
  };
  std::vector<Example> examples;
};

/// A heat map and a view of words joined by lines, both answering to the mouse, in a light and a
/// dark scheme. Weights are kept in 16 bits, to within 0.00001.
void write_html(const std::filesystem::path& path, const AttentionPage& page);

}  // namespace fovea
