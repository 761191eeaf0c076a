#include "fovea/metrics/characters.h"

#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>

namespace fovea::metrics {

std::u32string characters(std::string_view text) {
  std::u32string out;
  out.reserve(text.size());
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto size = static_cast<std::int64_t>(text.size());
  for (std::int64_t at = 0; at < size;) {
    UChar32 c = 0;
    U8_NEXT_OR_FFFD(bytes, at, size, c);
    out += static_cast<char32_t>(c);
  }
  return out;
}

std::string utf8(std::u32string_view characters) {
  std::string out;
  for (const char32_t c : characters) {
    std::uint8_t bytes[U8_MAX_LENGTH];
    int size = 0;
    U8_APPEND_UNSAFE(bytes, size, c);
    out.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  }
  return out;
}

bool is_space(char32_t character) {
  const auto c = static_cast<UChar32>(character);
  // The separators of files, groups, records and units are space to Python, hence to sacreBLEU.
  return u_isUWhiteSpace(c) || (c >= 0x1c && c <= 0x1f);
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> out;
  std::u32string word;
  const auto finish = [&] {
    if (!word.empty()) out.push_back(utf8(word));
    word.clear();
  };
  for (const char32_t c : characters(text)) {
    if (is_space(c))
      finish();
    else
      word += c;
  }
  finish();
  return out;
}

std::string lower_case(std::string_view text) {
  std::string out;
  icu::UnicodeString::fromUTF8({text.data(), static_cast<std::int32_t>(text.size())})
      .toLower(icu::Locale::getRoot())
      .toUTF8String(out);
  return out;
}

}  // namespace fovea::metrics
