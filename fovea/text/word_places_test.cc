#include "fovea/text/word_places.h"

#include <gtest/gtest.h>

#include "fovea/unicode/utf8.h"

namespace fovea {
namespace {

TEST(WordPlaces, CountCharactersNotBytes) {
  const std::string text = "  Süß, don't!  \tok";
  const std::vector<PlacedWord> words = placed_words(text);
  std::vector<std::string> found;
  for (const PlacedWord& word : words) {
    found.emplace_back(word.text);
    EXPECT_EQ(utf8_of(code_points(text).substr(static_cast<std::size_t>(word.begin),
                                               static_cast<std::size_t>(word.end - word.begin))),
              word.text);
  }
  EXPECT_EQ(found, (std::vector<std::string>{"Süß", ",", "don't", "!", "ok"}));
  EXPECT_EQ(words[1].begin, 5);
  EXPECT_TRUE(placed_words(" ").empty());
}

}  // namespace
}  // namespace fovea
