/// Rewriting of text by rules of one or a few characters, in one pass each. Internal to the room.
#pragma once

#include <string>
#include <string_view>

namespace fovea::text {

using CharacterClass = bool (*)(char32_t);

/// Replaces `from` by `to` wherever it stands, from left to right, without overlap.
void replace_all(std::u32string& text, std::u32string_view from, std::u32string_view to);

/// A place for `rewrite`: `mark` with its neighbours, each of a class or, with nullptr, not looked
/// at.
struct Place {
  CharacterClass before = nullptr;
  char32_t mark = 0;
  CharacterClass after = nullptr;
};

/// Replaces the mark, not its neighbours, by `with`, from left to right. What was a neighbour on
/// the right is not one on the left: places do not overlap, as in a regular expression's /g.
void rewrite(std::u32string& text, const Place& place, std::u32string_view with);

/// Of each run of spaces (U+0020) one.
void join_spaces(std::u32string& text);
/// No space at either end.
void strip_spaces(std::u32string& text);

}  // namespace fovea::text
