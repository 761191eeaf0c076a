#include "fovea/text/moses.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <vector>

#include "fovea/text/moses_prefixes.h"
#include "fovea/text/rewrite.h"
#include "fovea/unicode/utf8.h"

namespace fovea {
namespace {

using text::rewrite;

/// A dot of a run of dots while the text is taken apart: no rule is about it. No text has this one.
constexpr char32_t held_dot = 0x110000;

bool is_alpha(char32_t c) { return u_isUAlphabetic(static_cast<UChar32>(c)) != 0; }
bool is_number(char32_t c) {
  return (U_MASK(u_charType(static_cast<UChar32>(c))) & U_GC_N_MASK) != 0;
}
bool is_lower(char32_t c) { return u_isULowercase(static_cast<UChar32>(c)) != 0; }
bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }
bool not_alpha(char32_t c) { return !is_alpha(c); }
bool not_number(char32_t c) { return !is_number(c); }
bool neither(char32_t c) { return !is_alpha(c) && !is_number(c); }
bool is_s(char32_t c) { return c == U's'; }

/// Stays where it is: letters, decimal digits, spaces, and the marks that later rules are about.
bool belongs(char32_t c) {
  return is_alpha(c) || u_charType(static_cast<UChar32>(c)) == U_DECIMAL_DIGIT_NUMBER ||
         c == U' ' || c == U'.' || c == U'\'' || c == U'`' || c == U',' || c == U'-';
}

/// One space for white space of any kind and length, none at the ends, no control characters.
std::u32string cleaned(std::string_view line) {
  std::u32string clean;
  for (const char32_t c : code_points(line)) {
    if (is_space(c)) {
      clean += U' ';
    } else if (c >= 0x20) {
      clean += c;
    }
  }
  text::join_spaces(clean);
  text::strip_spaces(clean);
  return clean;
}

/// Spaces about each mark, and about runs of dots, which stay together.
std::u32string with_marks_apart(const std::u32string& clean) {
  std::u32string apart;
  for (std::size_t at = 0; at < clean.size(); ++at) {
    const char32_t c = clean[at];
    if (!belongs(c)) {
      apart.append({U' ', c, U' '});
    } else if (c == U'.' && at + 1 < clean.size() && clean[at + 1] == U'.') {
      const std::size_t end = std::min(clean.find_first_not_of(U'.', at), clean.size());
      apart += U' ';
      apart.append(end - at, held_dot);
      if (end < clean.size()) apart += U' ';
      at = end - 1;
    } else {
      apart += c;
    }
  }
  return apart;
}

/// A comma stays only within a number: 5,300.
void separate_commas(std::u32string& text) {
  rewrite(text, {not_number, U',', nullptr}, U" , ");
  rewrite(text, {nullptr, U',', not_number}, U" , ");
  const std::size_t size = text.size();
  if (size >= 2 && text[size - 1] == U',' && is_number(text[size - 2])) {
    text.replace(size - 1, 1, U" , ");
  }
}

/// English: it 's, dogs ', 1980 's. French: l' homme. German: apart always.
void separate_apostrophes(std::u32string& text, Language language) {
  constexpr char32_t mark = U'\'';
  if (language == Language::de) return rewrite(text, {nullptr, mark, nullptr}, U" ' ");
  const bool english = language == Language::en;
  rewrite(text, {not_alpha, mark, not_alpha}, U" ' ");
  rewrite(text, {english ? neither : not_alpha, mark, is_alpha}, U" ' ");
  rewrite(text, {is_alpha, mark, not_alpha}, U" ' ");
  rewrite(text, {is_alpha, mark, is_alpha}, english ? U" '" : U"' ");
  if (english) rewrite(text, {is_number, mark, is_s}, U" '");
}

std::vector<std::u32string_view> split(std::u32string_view text) {
  std::vector<std::u32string_view> words;
  for (std::size_t at = 0; (at = text.find_first_not_of(U' ', at)) != text.npos;) {
    const std::size_t end = std::min(text.find(U' ', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

/// Whether the dot after `word` belongs to it: it is an abbreviation, or no sentence begins after
/// it. `next` may be empty: the end of the line.
bool keeps_dot(std::u32string_view word, std::u32string_view next, Language language) {
  const bool dotted = word.find(U'.') != word.npos;
  if (dotted && std::any_of(word.begin(), word.end(), is_alpha)) return true;  // z.B.
  const text::Prefix prefix = text::prefix_of(word, language);
  if (prefix == text::Prefix::always) return true;
  if (next.empty()) return false;
  return is_lower(next[0]) || (prefix == text::Prefix::before_number && is_digit(next[0]));
}

/// The words with one space between them, and before a dot that ends a sentence.
std::u32string with_full_stops_apart(std::u32string_view text, Language language) {
  const std::vector<std::u32string_view> words = split(text);
  std::u32string apart;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) apart += U' ';
    const std::u32string_view word = words[i], bare = word.substr(0, word.size() - 1);
    const std::u32string_view next = i + 1 < words.size() ? words[i + 1] : std::u32string_view();
    if (word.back() == U'.' && !bare.empty() && !keeps_dot(bare, next, language)) {
      apart.append(bare).append(U" .");
    } else {
      apart.append(word);
    }
  }
  return apart;
}

}  // namespace

std::string moses_tokenize(std::string_view line, Language language) {
  std::u32string text = with_marks_apart(cleaned(line));
  separate_commas(text);
  separate_apostrophes(text, language);
  text = with_full_stops_apart(text, language);
  if (text.ends_with(U".'")) text.replace(text.size() - 2, 2, U" . '");
  text::join_spaces(text);
  text::strip_spaces(text);
  std::replace(text.begin(), text.end(), held_dot, U'.');
  return utf8_of(text);
}

}  // namespace fovea
