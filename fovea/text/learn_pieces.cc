/// Pieces of words, learned by SentencePiece.
#include <sentencepiece_trainer.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "fovea/base/check.h"
#include "fovea/text/split.h"
#include "fovea/text/units.h"

namespace fovea::text {
namespace {

/// Lines that SentencePiece holds in memory at most.
constexpr std::uint64_t most_lines = 5'000'000;
/// Words longer than this are cut: SentencePiece counts the characters of a word in 16 bits.
constexpr std::size_t longest_word = 1000;
/// SentencePiece uses this character for itself (▅) and skips lines that have it. Names that
/// contain it can therefore never be learned from text.
constexpr char32_t reserved_character = 0x2585;

/// The words of a line, cut if need be, with one space between them.
std::string words_of(std::string_view line) {
  std::string words;
  std::size_t characters = 0;
  const auto separates = [](char32_t c) {
    return c == 0 || c == U'▁' || c == reserved_character || is_space(c);
  };
  for_each_run(line, separates, [&](std::string_view word) {
    if (!words.empty()) words += ' ';
    characters = 0;
    for_each_character(word, [&](std::string_view character) {
      if (characters > 0 && characters % longest_word == 0) words += ' ';
      ++characters;
      words += character;
    });
  });
  return words;
}

/// All lines, or a uniform sample of most_lines of them (reservoir sampling, Vitter 1985, algorithm
/// R), the same each time.
std::vector<std::string> lines_to_learn(const Tokenizer::Lines& lines) {
  std::vector<std::string> kept;
  std::uint64_t seen = 0;
  const Draws draws{.seed = 1};
  for (std::string line; lines(line);) {
    std::string words = words_of(line);
    if (words.empty()) continue;
    if (kept.size() < most_lines) {
      kept.push_back(std::move(words));
    } else {
      const auto among = static_cast<std::uint32_t>(std::min<std::uint64_t>(seen + 1, 1U << 31));
      const std::uint32_t place = draws.below(seen, among);
      if (place < most_lines) kept[place] = std::move(words);
    }
    ++seen;
  }
  return kept;
}

/// How many different characters there are beside spaces.
Dim characters_in(const std::vector<std::string>& lines) {
  constexpr std::size_t all_of_unicode = 0x110000;
  std::vector<bool> seen(all_of_unicode);
  for (const std::string& line : lines) {
    for (std::size_t at = 0; at < line.size();) seen[next_code_point(line, at)] = true;
  }
  seen[U' '] = false;
  return std::count(seen.begin(), seen.end(), true);
}

/// Hands each line over once.
class LineIterator final : public sentencepiece::SentenceIterator {
 public:
  explicit LineIterator(std::vector<std::string> lines) : lines_(std::move(lines)) {}
  bool done() const override { return at_ == lines_.size(); }
  void Next() override { std::string().swap(lines_[at_++]); }
  const std::string& value() const override { return lines_[at_]; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  std::vector<std::string> lines_;
  std::size_t at_ = 0;
};

}  // namespace

Learned learn_pieces(const TokenizerConfig& config, const Tokenizer::Lines& lines) {
  FOVEA_CHECK(config.coverage >= 0.98 && config.coverage <= 1, ErrorKind::bad_setting,
              "coverage: expected 0.98 to 1, found ", config.coverage);
  std::vector<std::string> text = lines_to_learn(lines);
  FOVEA_CHECK(!text.empty(), "a tokenizer cannot be trained on an empty text");

  const std::unordered_map<std::string, std::string> settings = {
      {"model_type", config.kind == TokenizerKind::bpe ? "bpe" : "unigram"},
      {"vocab_size", std::to_string(config.vocabulary - static_cast<Dim>(config.controls.size()))},
      {"hard_vocab_limit", "false"},  // a small text has fewer pieces, and that is no failure
      {"character_coverage", concat(config.coverage)},
      {"normalization_rule_name", "identity"},
      {"max_sentence_length", "1073741824"},  // bytes; longer lines are left out
      {"num_threads", "8"},  // sums of the unigram model go in as many parts: never of the machine
      {"unk_piece", "▅unknown"},
      {"bos_piece", "▅begin"},
      {"eos_piece", "▅end"},
      {"minloglevel", "4"},
  };
  const Dim characters = characters_in(text);
  LineIterator iterator(std::move(text));
  Learned learned;
  const auto status =
      sentencepiece::SentencePieceTrainer::Train(settings, &iterator, &learned.model);
  // Beside the characters: ▁, with which words begin, and what is no text.
  const Dim enough = characters + 1 + first_unit(config);
  FOVEA_CHECK(status.ok() || config.vocabulary >= enough, ErrorKind::bad_setting,
              "vocabulary: ", config.vocabulary, " ids are too few for this text: each of its ",
              characters, " characters needs one, ",
              "and the beginning of a word and what is no text (unknown, begin, end, control ",
              "symbols) need ", enough - characters, "; give at least ", enough,
              ", or leave out rare characters by a lower coverage");
  FOVEA_CHECK(status.ok(), "SentencePiece cannot learn ", config.vocabulary,
              " pieces of this text: ", status.ToString());
  return learned;
}

}  // namespace fovea::text
