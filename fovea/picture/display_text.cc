#include "fovea/picture/display_text.h"

#include <unicode/uchar.h>

#include "fovea/unicode/utf8.h"

namespace fovea {
namespace {

bool turns_direction(char32_t c) {
  return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

char32_t shown(char32_t c) {
  if (c < 0x20) return 0x2400 + c;
  if (c == 0x7f) return 0x2421;
  if (u_iscntrl(static_cast<UChar32>(c)) || turns_direction(c)) return 0xfffd;
  return c;
}

}  // namespace

std::string displayable(std::string_view text, Charset charset) {
  std::string out;
  for (const char32_t c : code_points(text)) {
    const char32_t safe = shown(c);
    append_utf8(out, charset == Charset::ascii && safe > 0x7e ? U'?' : safe);
  }
  return out;
}

std::vector<std::string> glyphs(std::string_view text) {
  std::vector<std::string> out;
  for (const char32_t c : code_points(text)) {
    const std::string one = utf8_of({&c, 1});
    if (out.empty() || display_width(one) > 0) out.emplace_back();
    out.back() += one;
  }
  return out;
}

std::string cut_to_width(std::string_view text, Dim width, Charset charset) {
  if (display_width(text) <= width) return std::string(text);
  if (width <= 0) return {};
  std::string out;
  Dim room = width - 1;
  for (const std::string& glyph : glyphs(text)) {
    room -= display_width(glyph);
    if (room < 0) break;
    out += glyph;
  }
  return out + (charset == Charset::unicode ? "\u2026" : "~");
}

}  // namespace fovea
