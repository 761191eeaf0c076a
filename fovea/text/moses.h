/// Words and marks apart, as the tokenizer.perl of Moses (Koehn et al. 2007) does it: what
/// tokenised BLEU scores are counted on.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace fovea {

enum class Language { en, de, fr };
constexpr std::array<std::string_view, 3> names_of(Language) { return {"en", "de", "fr"}; }

/// `tokenizer.perl -l <language> -no-escape`: tokens with one space between them. Nothing is
/// escaped and hyphens stay within their words.
std::string moses_tokenize(std::string_view line, Language language);

/// `normalize-punctuation.perl -l <language>`: quotes, dashes, dots and the spaces about them
/// brought to ASCII; what many corpora go through before the tokenizer.
std::string normalize_punctuation(std::string_view line, Language language);

}  // namespace fovea
