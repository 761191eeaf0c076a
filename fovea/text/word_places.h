/// The words of a text and where they stand in it, so that an answer can be cut out as it is.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "fovea/text/tokenizer.h"

namespace fovea {

/// Characters [begin, end), counted in code points.
struct PlacedWord {
  std::string_view text;  // lent
  Dim begin = 0, end = 0;
};

/// Words between white space, punctuation and symbols apart from them ("don't" stays whole).
std::vector<PlacedWord> placed_words(std::string_view text);

/// What stands at these bytes of a text, as words. Bytes within a character count as all of it.
std::vector<PlacedWord> placed_at(std::string_view text, std::span<const PlacedIds::Place> places);

}  // namespace fovea
