/// GPT-2's way to write bytes as characters that can be seen (Radford et al. 2019): printable bytes
/// of Latin-1 stand for themselves, the others for U+0100 and on, in their order.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "fovea/unicode/utf8.h"

namespace fovea::hub {

constexpr std::array<char32_t, 256> byte_characters() {
  std::array<char32_t, 256> characters = {};
  char32_t next = 0x100;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    const bool printable =
        (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
    characters[byte] = printable ? static_cast<char32_t>(byte) : next++;
  }
  return characters;
}

/// The bytes that a token's characters stand for; none if one of them stands for no byte.
inline std::optional<std::string> bytes_of_characters(std::string_view token) {
  static constexpr auto bytes = [] {
    std::array<short, 0x144> table = {};
    for (short& byte : table) byte = -1;
    const auto characters = byte_characters();
    for (short byte = 0; byte < 256; ++byte)
      table[characters[static_cast<std::size_t>(byte)]] = byte;
    return table;
  }();
  std::string found;
  for (std::size_t at = 0; at < token.size();) {
    const char32_t c = next_code_point(token, at);
    if (c >= bytes.size() || bytes[c] < 0) return std::nullopt;
    found += static_cast<char>(bytes[c]);
  }
  return found;
}

}  // namespace fovea::hub
