/// Text cut at white space or into characters, without copies. Internal to the room.
#pragma once

#include <unicode/uchar.h>

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

/// Punctuation and symbols (Unicode's categories P and S).
inline bool is_mark(char32_t c) {
  constexpr std::uint32_t marks = U_GC_P_MASK | U_GC_S_MASK;
  return (U_GET_GC_MASK(static_cast<UChar32>(c)) & marks) != 0;
}

/// Calls visit for each mark of a word and for each run between marks. An apostrophe between
/// letters is part of them: "don't".
template <class Visit>
void for_each_part(std::string_view word, Visit visit) {
  std::size_t run = 0;
  for (std::size_t at = 0; at < word.size();) {
    const std::size_t from = at;
    const char32_t c = next_code_point(word, at);
    if (!is_mark(c)) continue;
    std::size_t after = at;
    const bool inside = from > run && at < word.size() && !is_mark(next_code_point(word, after));
    if (inside && (c == U'\'' || c == U'\u2019')) continue;
    if (from > run) visit(word.substr(run, from - run));
    visit(word.substr(from, at - from));
    run = at;
  }
  if (word.size() > run) visit(word.substr(run));
}

/// Words between white space, and their marks apart from them if wanted.
template <class Visit>
void for_each_word(std::string_view text, bool marks_apart, Visit visit) {
  for_each_word(text, [&](std::string_view word) {
    if (marks_apart) {
      for_each_part(word, visit);
    } else {
      visit(word);
    }
  });
}

}  // namespace fovea::text
