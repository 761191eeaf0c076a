/// A heat map in a terminal.
#pragma once

#include <string>

#include "fovea/inspect/attention_map.h"

namespace fovea {

enum class Shades {
  colour,  // backgrounds of the 256 colours that terminals have
  blocks,  // shaded blocks of Unicode
  ascii,   // nothing but ASCII
};

struct TerminalStyle {
  Shades shades = Shades::colour;
  Dim width = 80;  // in columns
};

/// What standard output can show: its width, whether it is a terminal and wants colour (NO_COLOR),
/// and whether its locale has Unicode.
TerminalStyle style_of_terminal();

/// A line for each query, a column for each key. Keys are named above their columns, from top to
/// bottom if they are too long to stand side by side; what does not fit the width follows in
/// further bands below.
std::string terminal_map(const AttentionMap& map, const TerminalStyle& style = {});

}  // namespace fovea
