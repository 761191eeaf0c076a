/// Labels on a screen: cut to fit, and safe to show.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fovea/unicode/utf8.h"

namespace fovea {

enum class Charset { unicode, ascii };

/// What may be shown: control characters as their pictures, such as U+240A for a line feed (an
/// escape sequence in a label must not reach the terminal), those that turn the direction of text
/// and bytes that are no UTF-8 as U+FFFD; in ASCII all of these, and all that is not ASCII, as '?'.
std::string displayable(std::string_view text, Charset charset = Charset::unicode);

/// The characters one by one, each with the marks that combine with it.
std::vector<std::string> glyphs(std::string_view text);

/// At most `width` columns of the text; where it was cut, an ellipsis is the last of them.
std::string cut_to_width(std::string_view text, Dim width, Charset charset = Charset::unicode);

}  // namespace fovea
