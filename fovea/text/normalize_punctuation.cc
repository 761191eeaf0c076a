#include <unicode/uchar.h>

#include <algorithm>
#include <array>

#include "fovea/text/moses.h"
#include "fovea/text/rewrite.h"
#include "fovea/unicode/utf8.h"

namespace fovea {
namespace {

using text::join_spaces;
using text::replace_all;
using text::rewrite;

constexpr char32_t no_break_space = 0xA0;

bool is_decimal(char32_t c) { return u_isdigit(static_cast<UChar32>(c)) != 0; }
bool is_percent(char32_t c) { return c == U'%'; }
bool is_ascii_letter(char32_t c) { return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z'); }

struct Rule {
  std::u32string_view from, to;
};

template <std::size_t count>
void replace_each(std::u32string& text, const std::array<Rule, count>& rules) {
  for (const Rule& rule : rules) replace_all(text, rule.from, rule.to);
}

/// One space outside of brackets, none inside, none before marks.
void tidy_spaces(std::u32string& text) {
  replace_each(text, std::to_array<Rule>({{U"\r", U""}, {U"(", U" ("}, {U")", U") "}}));
  join_spaces(text);
  for (const char32_t mark : std::u32string_view(U".!:?;,")) {
    replace_all(text, std::u32string(U") ") + mark, std::u32string(U")") + mark);
  }
  replace_each(text, std::to_array<Rule>({{U"( ", U"("}, {U" )", U")"}}));
  rewrite(text, {is_decimal, U' ', is_percent}, U"");
  replace_each(text, std::to_array<Rule>({{U" :", U":"}, {U" ;", U";"}}));
}

/// Quotes, dashes and dots of all kinds to those of ASCII.
void plain_marks(std::u32string& text) {
  replace_each(text, std::to_array<Rule>({{U"`", U"'"},
                                          {U"''", U" \" "},
                                          {U"„", U"\""},
                                          {U"“", U"\""},
                                          {U"”", U"\""},
                                          {U"–", U"-"},
                                          {U"—", U" - "}}));
  join_spaces(text);
  replace_all(text, U"´", U"'");
  rewrite(text, {is_ascii_letter, U'‘', is_ascii_letter}, U"'");
  rewrite(text, {is_ascii_letter, U'’', is_ascii_letter}, U"'");
  replace_each(text,
               std::to_array<Rule>(
                   {{U"‘", U"'"}, {U"‚", U"'"}, {U"’", U"\""}, {U"''", U"\""}, {U"…", U"..."}}));
  replace_each(text, std::to_array<Rule>({{U"\u00a0«\u00a0", U" \""},
                                          {U"«\u00a0", U"\""},
                                          {U"«", U"\""},
                                          {U"\u00a0»\u00a0", U"\" "},
                                          {U"\u00a0»", U"\""},
                                          {U"»", U"\""}}));
}

/// No-break spaces before marks and units.
void plain_spaces(std::u32string& text) {
  replace_each(text, std::to_array<Rule>({{U"\u00a0%", U"%"},
                                          {U"nº\u00a0", U"nº "},
                                          {U"\u00a0:", U":"},
                                          {U"\u00a0ºC", U" ºC"},
                                          {U"\u00a0cm", U" cm"},
                                          {U"\u00a0?", U"?"},
                                          {U"\u00a0!", U"!"},
                                          {U"\u00a0;", U";"},
                                          {U",\u00a0", U", "}}));
  join_spaces(text);
}

/// English: "so," for "so", . The dots and commas come before the quote.
void quotes_after_stops(std::u32string& text) {
  for (std::size_t at = text.find(U'"'); at < text.size(); at = text.find(U'"', at)) {
    const std::size_t end = std::min(text.find_first_not_of(U",.", at + 1), text.size());
    std::rotate(&text[at], &text[at + 1], text.data() + end);
    at = end;
  }
}

/// German and French: the quote comes before commas, and before dots unless it ends the line or
/// stands before a tag.
void quotes_before_stops(std::u32string& text) {
  replace_all(text, U",\"", U"\",");
  for (std::size_t at = text.find(U'.'); at < text.size(); at = text.find(U'.', at)) {
    const std::size_t quote = text.find_first_not_of(U'.', at);
    if (quote >= text.size() || text[quote] != U'"' || quote + 1 >= text.size() ||
        text[quote + 1] == U'<') {
      at = std::min(quote, text.size());
      continue;
    }
    std::rotate(&text[at], &text[quote], &text[quote + 1]);
    // The spaces after it and one character more have been read, as by the script's expression.
    at = quote + 1;
    while (at < text.size() && is_space(text[at])) ++at;
    ++at;
  }
}

}  // namespace

std::string normalize_punctuation(std::string_view line, Language language) {
  std::u32string text = code_points(line);
  tidy_spaces(text);
  plain_marks(text);
  plain_spaces(text);
  const bool english = language == Language::en;
  if (english) {
    quotes_after_stops(text);
  } else {
    quotes_before_stops(text);
  }
  rewrite(text, {is_decimal, no_break_space, is_decimal}, english ? U"." : U",");
  text::strip_spaces(text);
  return utf8_of(text);
}

}  // namespace fovea
