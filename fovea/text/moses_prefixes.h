/// Abbreviations, whose dot belongs to them. Internal to the room.
#pragma once

#include <string_view>

#include "fovea/text/moses.h"

namespace fovea::text {

enum class Prefix {
  none,
  always,         // "Mr." keeps its dot
  before_number,  // "No. 5" keeps its dot, "No. Never." does not
};

/// `word` is what stands before the dot. Words with a dot of their own ("z.B") are no business of
/// this list: they keep their last dot anyway.
Prefix prefix_of(std::u32string_view word, Language language);

}  // namespace fovea::text
