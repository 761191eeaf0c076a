#include "fovea/unicode/utf8.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include "fovea/base/check.h"

namespace fovea {
namespace {

constexpr char32_t replacement = 0xFFFD;

/// As next_code_point, but negative for what is not UTF-8.
UChar32 next_or_negative(std::string_view text, std::size_t& at) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  // The macro counts in 32 bits or more as its arguments do; a code point takes four bytes at most.
  std::size_t i = 0;
  const std::size_t left = text.size() - at;
  const std::uint8_t* from = bytes + at;
  UChar32 c = 0;
  U8_NEXT(from, i, left, c);
  at += i;
  return c;
}

int columns(char32_t code_point) {
  const auto c = static_cast<UChar32>(code_point);
  switch (u_charType(c)) {
    case U_NON_SPACING_MARK:
    case U_ENCLOSING_MARK:
    case U_FORMAT_CHAR:
    case U_CONTROL_CHAR:
      return 0;
    default:
      break;
  }
  const int width = u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH);
  return width == U_EA_WIDE || width == U_EA_FULLWIDTH ? 2 : 1;
}

}  // namespace

bool valid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (next_or_negative(text, at) < 0) return false;
  }
  return true;
}

char32_t next_code_point(std::string_view text, std::size_t& at) {
  FOVEA_CHECK(at < text.size(), "next_code_point: byte ", at, " of a text of ", text.size());
  const UChar32 c = next_or_negative(text, at);
  return c < 0 ? replacement : static_cast<char32_t>(c);
}

void append_utf8(std::string& text, char32_t code_point) {
  const bool valid = code_point <= 0x10FFFF && !U_IS_SURROGATE(code_point);
  const auto c = static_cast<UChar32>(valid ? code_point : replacement);
  std::uint8_t bytes[U8_MAX_LENGTH];
  std::size_t length = 0;
  U8_APPEND_UNSAFE(bytes, length, c);
  text.append(reinterpret_cast<const char*>(bytes), length);
}

std::size_t code_points_in(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (c & 0xC0) != 0x80;  // not one that continues another
  return count;
}

std::u32string code_points(std::string_view text) {
  std::u32string points;
  points.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) points += next_code_point(text, at);
  return points;
}

std::string utf8_of(std::u32string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (const char32_t c : text) append_utf8(bytes, c);
  return bytes;
}

std::string repaired_utf8(std::string_view text) {
  std::string repaired;
  repaired.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) append_utf8(repaired, next_code_point(text, at));
  return repaired;
}

bool is_space(char32_t code_point) {
  return u_isUWhiteSpace(static_cast<UChar32>(code_point)) != 0;
}

Dim display_width(std::string_view text) {
  Dim width = 0;
  for (std::size_t at = 0; at < text.size();) width += columns(next_code_point(text, at));
  return width;
}

}  // namespace fovea
