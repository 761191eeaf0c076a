#include "fovea/metrics/characters.h"

#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include "fovea/unicode/utf8.h"

namespace fovea::metrics {

bool ends_word(char32_t character) {
  const auto c = static_cast<UChar32>(character);
  // The separators of files, groups, records and units are space to Python, hence to sacreBLEU.
  return u_isUWhiteSpace(c) || (c >= 0x1c && c <= 0x1f);
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> out;
  std::u32string word;
  const auto finish = [&] {
    if (!word.empty()) out.push_back(utf8_of(word));
    word.clear();
  };
  for (const char32_t c : code_points(text)) {
    if (ends_word(c))
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
