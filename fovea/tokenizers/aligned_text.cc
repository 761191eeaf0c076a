#include "fovea/tokenizers/aligned_text.h"

#include <algorithm>
#include <cstring>

#include "fovea/unicode/utf8.h"

namespace fovea::hub {
namespace {

bool continues(char c) { return (c & 0xC0) == 0x80; }

}  // namespace

bool is_ascii(std::string_view text) {
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, text.data() + i, 8);
    if (eight & 0x8080808080808080ULL) return false;
  }
  return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(i), text.end(),
                     [](char c) { return (c & 0x80) == 0; });
}

Span AlignedText::origin(std::size_t begin, std::size_t end) const {
  if (!origins_.empty()) return {origins_[begin].begin, origins_[end - 1].end};
  while (begin > 0 && continues(text_[begin])) --begin;
  while (end < text_.size() && continues(text_[end])) ++end;
  return {base_ + static_cast<std::uint32_t>(begin), base_ + static_cast<std::uint32_t>(end)};
}

Rewrite::Rewrite(const AlignedText& old) : old_(old) {
  new_.base_ = old.base_;
  new_.text_.reserve(old.text_.size() + 16);
  new_.origins_.reserve(old.text_.size() + 16);
}

void Rewrite::put(std::string_view bytes, std::size_t from) {
  const Span origin = from < old_.text_.size() ? old_.origin(from, from + 1) : Span{};
  new_.text_ += bytes;
  new_.origins_.insert(new_.origins_.end(), bytes.size(), origin);
}

void Rewrite::put(char32_t character, std::size_t from) {
  if (character < 0x80) {
    const char one = static_cast<char>(character);
    put({&one, 1}, from);
    return;
  }
  std::string bytes;
  append_utf8(bytes, character);
  put(bytes, from);
}

void Rewrite::keep(std::size_t begin, std::size_t end) {
  new_.text_ += old_.text().substr(begin, end - begin);
  if (!old_.origins_.empty()) {
    new_.origins_.insert(new_.origins_.end(),
                         old_.origins_.begin() + static_cast<std::ptrdiff_t>(begin),
                         old_.origins_.begin() + static_cast<std::ptrdiff_t>(end));
    return;
  }
  for (std::size_t at = begin; at < end;) {
    const std::size_t size = std::min(character_size(old_.text_[at]), end - at);
    const auto first = old_.base_ + static_cast<std::uint32_t>(at);
    new_.origins_.insert(new_.origins_.end(), size,
                         {first, first + static_cast<std::uint32_t>(size)});
    at += size;
  }
}

void apply_changes(const std::vector<Change>& changes, AlignedText& text) {
  const std::string_view old = text.text();
  Rewrite rewrite(text);
  std::size_t at = 0;
  for (const auto& [character, change] : changes) {
    if (change > 0) {  // at the very beginning there is nothing before it
      rewrite.put(character, at > 0 ? at - 1 : old.size());
      continue;
    }
    rewrite.put(character, at);
    for (int used = 0; used <= -change && at < old.size(); ++used) at += character_size(old[at]);
  }
  text = rewrite.done();
}

}  // namespace fovea::hub
