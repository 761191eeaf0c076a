/// Text cut at white space or into characters, without copies. Internal to the room.
#pragma once

#include <string_view>

#include "fovea/unicode/utf8.h"

namespace fovea::text {

/// Calls visit(character) for each code point.
template <class Visit>
void for_each_character(std::string_view text, Visit visit) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t from = at;
    next_code_point(text, at);
    visit(text.substr(from, at - from));
  }
}

/// Calls visit(word) for each longest run of characters of which `separates` is false.
template <class Separates, class Visit>
void for_each_run(std::string_view text, Separates separates, Visit visit) {
  std::size_t word = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t from = at;
    if (!separates(next_code_point(text, at))) continue;
    if (from > word) visit(text.substr(word, from - word));
    word = at;
  }
  if (text.size() > word) visit(text.substr(word));
}

/// Calls visit(word) for each word between white space.
template <class Visit>
void for_each_word(std::string_view text, Visit visit) {
  for_each_run(text, is_space, visit);
}

}  // namespace fovea::text
