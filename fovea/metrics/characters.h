/// Text as the metrics see it: characters are code points, words are what stands between white
/// space (of Unicode), lower case is Unicode's. Bytes that are no UTF-8 become U+FFFD.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fovea::metrics {

bool ends_word(char32_t character);
std::vector<std::string> words(std::string_view text);
std::string lower_case(std::string_view text);

}  // namespace fovea::metrics
