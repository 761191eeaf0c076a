#include "fovea/data/utf8.h"

#include <cstdint>
#include <cstring>

namespace fovea {
namespace {

/// The bytes of the character that begins here, 0 if it is none.
std::size_t character(const unsigned char* text, std::size_t left) {
  const unsigned char first = text[0];
  if (first < 0x80) return 1;
  const std::size_t size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (first < 0xc2 || first > 0xf4 || left < size) return 0;
  // What the second byte may be keeps out long forms, surrogates and what is too large.
  const unsigned char low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned char high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (text[1] < low || text[1] > high) return 0;
  for (std::size_t i = 2; i < size; ++i) {
    if ((text[i] & 0xc0) != 0x80) return 0;
  }
  return size;
}

}  // namespace

std::size_t valid_utf8(std::string_view text) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  std::size_t at = 0;
  while (at < text.size()) {
    std::uint64_t eight;
    if (text.size() - at >= 8) {
      std::memcpy(&eight, bytes + at, 8);
      if ((eight & 0x8080808080808080U) == 0) {
        at += 8;
        continue;
      }
    }
    const std::size_t size = character(bytes + at, text.size() - at);
    if (size == 0) break;
    at += size;
  }
  return at;
}

}  // namespace fovea
