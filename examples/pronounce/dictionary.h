/// A dictionary of pronunciations in the format of CMUdict: a line is a word and its sounds, and
/// word(2), word(3) are other ways to say it.
///
///   read R EH D
///   read(2) R IY D
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pronounce {

using Ids = std::vector<std::int32_t>;

struct Word {
  std::string spelling;
  Ids letters;
  std::vector<Ids> pronunciations;
  /// Not to be trained on: one word in fifty, by a hash of its spelling. All its pronunciations
  /// are on the same side.
  bool held_out = false;
};

class Dictionary {
 public:
  explicit Dictionary(const std::string& path);

  const std::vector<Word>& words() const { return words_; }  // in alphabetical order
  /// Null if the word is not there.
  const Word* find(const std::string& spelling) const;

  std::int32_t letter_count() const { return static_cast<std::int32_t>(alphabet_.size()); }
  /// With the mark that begins and ends a pronunciation.
  std::int32_t sound_count() const { return static_cast<std::int32_t>(sounds_.size()); }
  static constexpr std::int32_t mark = 0;

  /// Throws if the dictionary has no word with one of these letters.
  Ids letters_of(const std::string& spelling) const;
  const std::string& sound(std::int32_t id) const { return sounds_[static_cast<std::size_t>(id)]; }
  /// "F OW V IY AH"
  std::string text(const Ids& sounds) const;

 private:
  using Entries = std::map<std::string, std::vector<std::vector<std::string>>>;
  static Entries read(const std::string& path);
  void number(const Entries& entries);

  std::string alphabet_;             // sorted
  std::vector<std::string> sounds_;  // sorted, after the mark
  std::vector<Word> words_;
};

}  // namespace pronounce
