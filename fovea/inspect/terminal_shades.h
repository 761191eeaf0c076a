/// How strong a weight looks in a terminal. Internal to the room.
#pragma once

#include <string>

#include "fovea/inspect/terminal.h"

namespace fovea {

/// So many columns of one shade: a background, a block or a character. No style is ended.
std::string shade_cell(float weight, Dim width, Shades shades);

/// Text on the background of its weight, with letters that can be read on it.
std::string on_shade(float weight, const std::string& text);

}  // namespace fovea
