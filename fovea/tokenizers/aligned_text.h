/// A text that is being changed and remembers where each of its bytes came from.
///
/// All that normalizers do is to write a text anew, each character with the origin of a character
/// of the old one: what stands for a character has its origin, what is put in has that of the
/// character before it. A text that nobody has moved yet keeps no origins at all.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fovea::hub {

/// Bytes [begin, end) of a text.
struct Span {
  std::uint32_t begin = 0, end = 0;
  bool operator==(const Span&) const = default;
};

/// The bytes that a character takes, by its first one. For valid UTF-8.
inline std::size_t character_size(char first) {
  const auto byte = static_cast<unsigned char>(first);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

bool is_ascii(std::string_view text);

class AlignedText {
 public:
  AlignedText() = default;
  /// Valid UTF-8 that begins at byte `base` of the original.
  AlignedText(std::string_view original, std::uint32_t base) : text_(original), base_(base) {}

  std::string_view text() const { return text_; }
  /// To exchange bytes by others. Only where no character changes its size.
  std::string& bytes() { return text_; }

  /// Where a part came from, in whole characters of the original. The part is not empty.
  Span origin(std::size_t begin, std::size_t end) const;

 private:
  friend class Rewrite;
  std::string text_;
  std::vector<Span> origins_ = {};  // of each byte; none: byte i came from base_ + i
  std::uint32_t base_ = 0;
};

class Rewrite {
 public:
  explicit Rewrite(const AlignedText& old);

  /// Bytes that take the origin of the character of the old text that has the byte `from`.
  void put(std::string_view bytes, std::size_t from);
  void put(char32_t character, std::size_t from);
  /// A part of the old text as it is.
  void keep(std::size_t begin, std::size_t end);

  std::size_t size() const { return new_.text_.size(); }
  AlignedText done() { return std::move(new_); }

 private:
  const AlignedText& old_;
  AlignedText new_;
};

/// One character of a new text as the code points of normal forms give them: it takes the place of
/// the next old character (0), is put in (1), or takes its place and that of n more (-n).
struct Change {
  char32_t character = 0;
  int change = 0;
};
void apply_changes(const std::vector<Change>& changes, AlignedText& text);

}  // namespace fovea::hub
