#include "fovea/picture/display_text.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <numeric>

namespace fovea {
namespace {

std::vector<UChar32> decoded(std::string_view text) {
  std::vector<UChar32> out;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto size = static_cast<std::int64_t>(text.size());
  for (std::int64_t at = 0; at < size;) {
    UChar32 c = 0;
    U8_NEXT_OR_FFFD(bytes, at, size, c);
    out.push_back(c);
  }
  return out;
}

void append(std::string& text, UChar32 c) {
  std::uint8_t bytes[U8_MAX_LENGTH];
  int size = 0;
  U8_APPEND_UNSAFE(bytes, size, c);
  text.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
}

Dim width_of(UChar32 c) {
  const auto type = u_charType(c);
  if (type == U_NON_SPACING_MARK || type == U_ENCLOSING_MARK || type == U_FORMAT_CHAR) return 0;
  const int width = u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH);
  return width == U_EA_WIDE || width == U_EA_FULLWIDTH ? 2 : 1;
}

bool turns_direction(UChar32 c) {
  return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

UChar32 shown(UChar32 c) {
  if (c < 0x20) return 0x2400 + c;
  if (c == 0x7f) return 0x2421;
  if (u_iscntrl(c) || turns_direction(c)) return 0xfffd;
  return c;
}

}  // namespace

std::string displayable(std::string_view text, Charset charset) {
  std::string out;
  for (const UChar32 c : decoded(text)) {
    const UChar32 safe = shown(c);
    append(out, charset == Charset::ascii && safe > 0x7e ? '?' : safe);
  }
  return out;
}

std::vector<std::string> glyphs(std::string_view text) {
  std::vector<std::string> out;
  for (const UChar32 c : decoded(text)) {
    if (out.empty() || width_of(c) > 0) out.emplace_back();
    append(out.back(), c);
  }
  return out;
}

Dim display_width(std::string_view text) {
  const std::vector<UChar32> characters = decoded(text);
  return std::accumulate(characters.begin(), characters.end(), Dim(0),
                         [](Dim sum, UChar32 c) { return sum + width_of(c); });
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
