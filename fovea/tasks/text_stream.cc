#include "fovea/tasks/text_stream.h"

#include <algorithm>

namespace fovea {
namespace {

/// What decoding makes of half a character, or of each of its bytes.
constexpr std::string_view half_character = "\uFFFD";

/// How many bytes at the end of a text may be the beginning of a stop string.
std::size_t perhaps_stop(std::string_view text, std::string_view stop) {
  for (std::size_t n = std::min(text.size(), stop.size() - 1); n > 0; --n) {
    if (text.ends_with(stop.substr(0, n))) return n;
  }
  return 0;
}

}  // namespace

std::string_view before_stop(std::string_view text, std::span<const std::string> stops) {
  std::size_t end = text.size();
  for (const std::string& stop : stops) end = std::min(end, text.find(stop));
  return text.substr(0, end);
}

std::string_view whole_characters(std::string_view text) {
  while (text.ends_with(half_character)) text.remove_suffix(half_character.size());
  return text;
}

bool TextStream::grow(std::string_view text) {
  const std::string_view kept = before_stop(text, stops_);
  if (kept.size() < text.size()) return true;
  std::size_t back = text.size() - whole_characters(text).size();
  for (const std::string& stop : stops_) back = std::max(back, perhaps_stop(text, stop));
  give(text.substr(0, text.size() - back));
  return false;
}

void TextStream::give(std::string_view text) {
  if (text.size() <= given_.size() || !text.starts_with(given_)) return;
  if (out_) out_(text.substr(given_.size()));
  given_ = text;
}

}  // namespace fovea
