#include "fovea/text/word_places.h"

#include "fovea/text/split.h"

namespace fovea {
namespace {

/// Bytes of a text as numbers of characters. Quick where they rise.
class Characters {
 public:
  explicit Characters(std::string_view text) : text_(text) {}

  /// How many characters begin before the byte.
  Dim before(std::size_t to) {
    if (to < byte_) byte_ = 0, count_ = 0;
    for (; byte_ < to; ++count_) next_code_point(text_, byte_);
    return count_;
  }

 private:
  std::string_view text_;
  std::size_t byte_ = 0;
  Dim count_ = 0;
};

}  // namespace

std::vector<PlacedWord> placed_words(std::string_view text) {
  std::vector<PlacedWord> words;
  Characters characters(text);
  text::for_each_word(text, true, [&](std::string_view word) {
    const auto from = static_cast<std::size_t>(word.data() - text.data());
    const Dim begin = characters.before(from);
    words.push_back({word, begin, characters.before(from + word.size())});
  });
  return words;
}

std::vector<PlacedWord> placed_at(std::string_view text, std::span<const PlacedIds::Place> places) {
  std::vector<PlacedWord> words;
  Characters begins(text), ends(text);
  for (const auto& [begin, end] : places) {
    words.push_back({text.substr(begin, end - begin), begins.before(begin), ends.before(end)});
  }
  return words;
}

}  // namespace fovea
