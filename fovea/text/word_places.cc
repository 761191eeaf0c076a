#include "fovea/text/word_places.h"

#include "fovea/text/split.h"

namespace fovea {

std::vector<PlacedWord> placed_words(std::string_view text) {
  std::vector<PlacedWord> words;
  std::size_t byte = 0;
  Dim character = 0;
  const auto character_at = [&](std::size_t to) {
    for (; byte < to; ++character) next_code_point(text, byte);
    return character;
  };
  text::for_each_word(text, true, [&](std::string_view word) {
    const auto from = static_cast<std::size_t>(word.data() - text.data());
    const Dim begin = character_at(from);
    words.push_back({word, begin, character_at(from + word.size())});
  });
  return words;
}

}  // namespace fovea
