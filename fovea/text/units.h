/// What text is made of, by kind of tokenizer, numbered from 0: the part of a tokenizer that knows
/// nothing of control symbols, of normalisation and of files. Internal to the room.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/text/tokenizer.h"

namespace fovea::text {

/// Stands for what is no unit.
constexpr std::int32_t no_unit = -1;
/// What decoding gives for it.
constexpr std::string_view unknown_mark = "⁇";
/// SentencePiece's mark of a space.
constexpr std::string_view space_mark = "▁";

/// The id of unit 0: after unknown, begin, end and the control symbols.
inline Dim first_unit(const TokenizerConfig& config) {
  return 3 + static_cast<Dim>(config.controls.size());
}

/// Where a unit stands in its word: within it, at its beginning, or it is nothing but space.
enum class Edge { inside, opens, blank };

/// All that training finds, and all that is saved.
struct Learned {
  std::vector<std::string> symbols;  // characters, words: by falling count
  std::string model;                 // bpe, unigram: as SentencePiece writes it
};

class Units {
 public:
  virtual ~Units() = default;
  virtual Dim size() const = 0;
  /// The text is normalised and valid UTF-8.
  virtual Ids encode(std::string_view text) const = 0;
  virtual Ids sample(std::string_view text, Draws, double) const { return encode(text); }
  /// Those of each word of a text.
  virtual std::vector<Ids> encode_words(std::span<const std::string> words) const {
    std::vector<Ids> all;
    for (const std::string& word : words) all.push_back(encode(word));
    return all;
  }
  /// As Tokenizer::encode_placed; none: not known.
  virtual std::optional<PlacedIds> encode_placed(std::string_view) const { return std::nullopt; }
  /// Any units, in any order, no_unit among them. May give bytes that are no UTF-8.
  virtual std::string decode(std::span<const std::int32_t> units) const = 0;
  virtual std::string piece(std::int32_t unit) const = 0;
  /// Of each unit that encode gives; no_unit too, where its text is at hand.
  virtual std::vector<std::string> pieces(std::string_view text) const {
    std::vector<std::string> all;
    for (const std::int32_t unit : encode(text)) all.push_back(piece(unit));
    return all;
  }
  virtual Edge edge(std::int32_t unit) const = 0;
  /// Of kinds whose units are weighed against each other: bpe, unigram.
  virtual float score(std::int32_t) const { return 0; }
  /// Units of others may be control symbols.
  virtual bool is_control(std::int32_t) const { return false; }
};

/// Lines come normalised.
Learned learn_symbols(const TokenizerConfig& config, const Tokenizer::Lines& lines);
Learned learn_pieces(const TokenizerConfig& config, const Tokenizer::Lines& lines);

/// These throw Error if what was learned is no such thing: it may come from any file.
std::unique_ptr<Units> character_units(const Learned& learned);
std::unique_ptr<Units> word_units(const TokenizerConfig& config, const Learned& learned);
std::unique_ptr<Units> byte_units();
std::unique_ptr<Units> piece_units(TokenizerKind kind, const Learned& learned);
/// Ids are places in `learned.symbols`.
std::unique_ptr<Units> marian_units(const Learned& learned);
SpecialIds marian_ids(const std::vector<std::string>& names);
/// `size`: ids that the model knows; those that the tokenizer has none for are no text.
std::unique_ptr<Units> hub_units(HubTokenizer tokenizer, Dim size);
SpecialIds special_ids(const HubTokenizer& tokenizer);

}  // namespace fovea::text
