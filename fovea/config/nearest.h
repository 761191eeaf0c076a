/// What somebody may have meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace fovea {

/// The candidate that the fewest changes of a letter turn `word` into, if they are few; else "".
/// Two neighbours that are swapped are one change.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

/// "; did you mean 'batch'?", or what there is if nothing is near: the end of an error message.
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

}  // namespace fovea
