#include "fovea/metrics/bleu_tokens.h"

#include <algorithm>
#include <utility>

#include "fovea/base/check.h"
#include "fovea/metrics/characters.h"
#include "fovea/unicode/utf8.h"

namespace fovea {
namespace {

using metrics::ends_word, metrics::words;

bool digit(char c) { return c >= '0' && c <= '9'; }
bool point(char c) { return c == '.' || c == ','; }
bool dash(char c) { return c == '-'; }
bool no_digit(char c) { return !digit(c); }

/// ASCII punctuation that always stands alone: all but ' , - and .
bool symbol(char c) {
  return (c >= '!' && c <= '&') || (c >= '(' && c <= '+') || c == '/' || (c >= ':' && c <= '@') ||
         (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

using Is = bool(char);

/// Puts spaces around the marked one of two neighbours. Pairs do not overlap: they are found from
/// the left, as a substitution by regular expression finds them.
std::string spaced(const std::string& text, Is* first, Is* second, bool mark_first) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i + 1 < text.size() && first(text[i]) && second(text[i + 1])) {
      if (mark_first)
        out += {' ', text[i], ' ', text[i + 1]};
      else
        out += {text[i], ' ', text[i + 1], ' '};
      ++i;
    } else {
      out += text[i];
    }
  }
  return out;
}

/// The part of mteval-v13a that knows Western languages.
std::vector<std::string> western(std::string_view line) {
  std::string text;
  for (const char c : line) {
    if (symbol(c))
      text += {' ', c, ' '};
    else
      text += c;
  }
  text = spaced(text, no_digit, point, false);
  text = spaced(text, point, no_digit, true);
  text = spaced(text, digit, dash, false);
  return words(text);
}

std::string without_markup(std::string_view line) {
  std::string text(line);
  replace_all(text, "<skipped>", "");
  replace_all(text, "-\n", "");
  replace_all(text, "\n", " ");
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");
  return text;
}

/// Chinese characters and marks. sacreBLEU means to list two ranges beyond U+FFFF, but writes them
/// so that they are U+2001 to U+2A6D and U+2F81 to U+2FA1: its scores come from those.
bool chinese(char32_t c) {
  static constexpr std::pair<char32_t, char32_t> ranges[] = {
      {0x2001, 0x2a6d}, {0x2e80, 0x2eff}, {0x2f00, 0x2fdf}, {0x2ff0, 0x303f},
      {0x3100, 0x312f}, {0x31a0, 0x31bf}, {0x31c0, 0x31ef}, {0x3200, 0x33ff},
      {0x3400, 0x4db5}, {0x4e00, 0x9fbb}, {0xf900, 0xfa2d}, {0xfa30, 0xfa6a},
      {0xfa70, 0xfad9}, {0xfe10, 0xfe1f}, {0xfe30, 0xfe4f}, {0xff00, 0xffef}};
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [c](auto range) { return c >= range.first && c <= range.second; });
}

/// Without white space at its right end, or at both.
std::u32string trimmed(const std::u32string& line, bool also_left) {
  const auto solid = [](char32_t c) { return !ends_word(c); };
  const auto end = std::find_if(line.rbegin(), line.rend(), solid).base();
  return {also_left ? std::find_if(line.begin(), end, solid) : line.begin(), end};
}

}  // namespace

std::vector<std::string> bleu_tokens(std::string_view line, BleuTokenizer tokenizer) {
  switch (tokenizer) {
    case BleuTokenizer::none:
      return words(line);
    case BleuTokenizer::character: {
      std::vector<std::string> out;
      for (const char32_t c : code_points(line)) {
        if (!ends_word(c)) out.push_back(utf8_of({&c, 1}));
      }
      return out;
    }
    case BleuTokenizer::chinese: {
      std::u32string apart;
      for (const char32_t c : trimmed(code_points(line), true)) {
        if (chinese(c))
          apart += {U' ', c, U' '};
        else
          apart += c;
      }
      return western(utf8_of(apart));
    }
    case BleuTokenizer::thirteen_a:
      break;
  }
  return western(concat(" ", without_markup(utf8_of(trimmed(code_points(line), false))), " "));
}

}  // namespace fovea
