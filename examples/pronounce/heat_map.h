/// Who looked where, as shades: in the terminal and as a page.
#pragma once

#include <string>
#include <vector>

#include "fovea/tensor/tensor.h"

namespace pronounce {

/// A row for each label on the left, a column for each on top.
struct HeatMap {
  std::string title;
  std::vector<std::string> left, top;
  fovea::Tensor weights;  // (left, top) f32, from 0 to 1
};

/// Lines of text: blocks of Unicode, or plain characters where a locale says that those are all.
std::string as_text(const HeatMap& map);

/// One file with all maps, which needs nothing from anywhere.
void write_page(const std::string& path, const std::string& title,
                const std::vector<HeatMap>& maps);

}  // namespace pronounce
