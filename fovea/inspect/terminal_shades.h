/// How strong a weight looks in a terminal. Internal to the room.
#pragma once

#include <string>

#include "fovea/inspect/terminal.h"
#include "fovea/picture/colour.h"

namespace fovea {

/// So many columns of one shade: a background, a block or a character. No style is ended.
std::string shade_cell(float weight, Dim width, Shades shades);

/// Text on the background of its weight, with letters that can be read on it.
std::string on_shade(float weight, const std::string& text);

/// Two pixels, one above the other, as one character on a terminal with 256 colours. No style is
/// ended.
std::string pixel_cell(Rgb above, Rgb below);

}  // namespace fovea
