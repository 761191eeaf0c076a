/// UTF-8 as others need it: is it valid, its code points, how wide it stands in a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "fovea/base/view.h"

namespace fovea {

/// Whether this is UTF-8: no overlong forms, no surrogates, nothing beyond U+10FFFF, nothing cut
/// off.
bool valid_utf8(std::string_view text);

/// The same text with each sequence that is not UTF-8 replaced by U+FFFD.
std::string repaired_utf8(std::string_view text);

/// The code point that begins at byte `at`, and moves `at` past it. What is not UTF-8 gives U+FFFD
/// and moves by at least one byte, so `while (at < text.size())` ends.
char32_t next_code_point(std::string_view text, std::size_t& at);

/// Appends the code point. What is none (a surrogate, beyond U+10FFFF) appends U+FFFD.
void append_utf8(std::string& text, char32_t code_point);

/// How many code points the text has, which is UTF-8.
std::size_t code_points_in(std::string_view text);

/// A whole text as code points, and back.
std::u32string code_points(std::string_view text);
std::string utf8_of(std::u32string_view text);

/// Unicode's White_Space: blanks, tabs, line ends, no-break and ideographic spaces.
bool is_space(char32_t code_point);

/// Columns that the text takes in a terminal: none for combining marks and invisible characters,
/// two for wide East Asian ones and emoji (Unicode Standard Annex #11), one for the rest.
Dim display_width(std::string_view text);

}  // namespace fovea
