/// Text cut into sentences.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fovea {

/// Where Unicode's rules end a sentence (Standard Annex #29, by ICU, of no language in particular);
/// a line break ends one too. White space around sentences is dropped, and so are empty ones.
std::vector<std::string> sentences_of(std::string_view text);

/// The text without tags of HTML: each becomes a line break, so that "<br />" parts sentences. A
/// '<' that no letter or '/' follows stays.
std::string without_tags(std::string_view text);

}  // namespace fovea
