#include "pronounce/dictionary.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "fovea/base/check.h"

namespace pronounce {
namespace {

/// FNV-1a: the same on every machine.
std::uint64_t hash(const std::string& text) {
  std::uint64_t h = 0xcbf29ce484222325U;
  for (unsigned char c : text) h = (h ^ c) * 0x100000001b3U;
  return h;
}

/// Where `value` stands in a sorted row; its size if it is not there.
template <class Row, class Value>
std::size_t place(const Row& sorted, const Value& value) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), value);
  return static_cast<std::size_t>((at != sorted.end() && *at == value ? at : sorted.end()) -
                                  sorted.begin());
}

}  // namespace

Dictionary::Dictionary(const std::string& path) {
  number(read(path));
  const auto held =
      std::count_if(words_.begin(), words_.end(), [](const Word& word) { return word.held_out; });
  FOVEA_CHECK(held > 0 && held < static_cast<std::ptrdiff_t>(words_.size()), path, ": ",
              words_.size(), " words are too few: one in fifty is held out to test with");
}

Dictionary::Entries Dictionary::read(const std::string& path) {
  std::ifstream file(path);
  FOVEA_CHECK(file, path, ": cannot be opened; install Debian's package pocketsphinx-en-us, or ",
              "name a dictionary with --dictionary");
  Entries entries;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    std::istringstream parts(line);
    std::string spelling;
    parts >> spelling;
    spelling = spelling.substr(0, spelling.find('('));
    std::vector<std::string> sounds;
    for (std::string sound; parts >> sound;) sounds.push_back(sound);
    FOVEA_CHECK(!spelling.empty() && !sounds.empty(), path, ":", number,
                ": expected a word and its sounds, found '", line, "'");
    entries[spelling].push_back(std::move(sounds));
  }
  FOVEA_CHECK(file.eof(), path, ": cannot be read to its end");
  return entries;
}

void Dictionary::number(const Entries& entries) {
  std::set<char> letters;
  std::set<std::string> sounds;
  for (const auto& [spelling, pronunciations] : entries) {
    letters.insert(spelling.begin(), spelling.end());
    for (const auto& spoken : pronunciations) sounds.insert(spoken.begin(), spoken.end());
  }
  alphabet_.assign(letters.begin(), letters.end());
  sounds_.assign(sounds.begin(), sounds.end());
  for (const auto& [spelling, pronunciations] : entries) {
    Word word{.spelling = spelling,
              .letters = letters_of(spelling),
              .pronunciations = {},
              .held_out = hash(spelling) % 50 == 0};
    for (const auto& spoken : pronunciations) {
      Ids ids;
      for (const std::string& sound : spoken) {
        ids.push_back(1 + static_cast<std::int32_t>(place(sounds_, sound)));
      }
      word.pronunciations.push_back(std::move(ids));
    }
    words_.push_back(std::move(word));
  }
  sounds_.insert(sounds_.begin(), "(end)");
}

const Word* Dictionary::find(const std::string& spelling) const {
  const auto at = std::lower_bound(
      words_.begin(), words_.end(), spelling,
      [](const Word& word, const std::string& text) { return word.spelling < text; });
  return at != words_.end() && at->spelling == spelling ? &*at : nullptr;
}

Ids Dictionary::letters_of(const std::string& spelling) const {
  Ids ids;
  for (char letter : spelling) {
    const std::size_t id = place(alphabet_, letter);
    FOVEA_CHECK(id < alphabet_.size(), spelling, ": the dictionary has no word with '", letter,
                "'; its letters are ", alphabet_);
    ids.push_back(static_cast<std::int32_t>(id));
  }
  return ids;
}

std::string Dictionary::text(const Ids& sounds) const {
  std::string text;
  for (std::int32_t id : sounds) text += (text.empty() ? "" : " ") + sound(id);
  return text;
}

}  // namespace pronounce
