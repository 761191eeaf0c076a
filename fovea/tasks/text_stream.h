/// Texts that are told while they are generated, piece by piece.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace fovea {

/// The part of a text before the first of the stop strings in it.
std::string_view before_stop(std::string_view text, std::span<const std::string> stops);

/// A text without what decoding makes of half a character at its end.
std::string_view whole_characters(std::string_view text);

/// Gives a growing text on piece by piece, but nothing that may still turn out to be a stop string
/// or half a character.
class TextStream {
 public:
  TextStream(std::span<const std::string> stops, std::function<void(std::string_view)> out)
      : stops_(stops), out_(std::move(out)) {}

  /// The text as it is now. True if a stop string is in it.
  bool grow(std::string_view text);
  /// The text as it stays.
  void finish(std::string_view text) { give(text); }

 private:
  /// What does not begin with all that was given is held back.
  void give(std::string_view text);

  std::span<const std::string> stops_;
  std::function<void(std::string_view)> out_;
  std::string given_;
};

}  // namespace fovea
