/// What makes tokens of a word: the part of a tokenizer that has the vocabulary.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "fovea/tokenizers/aligned_text.h"
#include "fovea/tokenizers/json_part.h"
#include "fovea/tokenizers/string_ids.h"

namespace fovea::hub {

struct Token {
  std::int32_t id = 0;
  Span span = {};  // of the text that is being taken apart
};

class TokenModel {
 public:
  explicit TokenModel(Vocabulary vocabulary) : vocabulary_(std::move(vocabulary)) {}
  virtual ~TokenModel() = default;
  TokenModel(const TokenModel&) = delete;
  TokenModel& operator=(const TokenModel&) = delete;

  /// Appends the tokens of a word, which is not empty and begins at byte `at` of its text. Any
  /// number of threads may call it.
  virtual void tokenize(std::string_view word, std::uint32_t at,
                        std::vector<Token>& tokens) const = 0;

  const Vocabulary& vocabulary() const { return vocabulary_; }
  virtual std::int32_t unknown() const = 0;  // no_id: there is none

 protected:
  Vocabulary vocabulary_;
};

/// `byte_level`: words come as they are, and the characters of the vocabulary stand for bytes
/// (pre_tokenizer.h, ByteLevel).
std::unique_ptr<TokenModel> read_model(const JsonPart& json, bool byte_level);

std::unique_ptr<TokenModel> read_wordpiece(const JsonPart& json);
std::unique_ptr<TokenModel> read_wordlevel(const JsonPart& json);
std::unique_ptr<TokenModel> read_bpe(const JsonPart& json, bool byte_level);
std::unique_ptr<TokenModel> read_unigram(const JsonPart& json);

/// {"a": 0, "b": 1, ...}
Vocabulary read_vocabulary(const JsonPart& json);

/// The ids of "<0x00>" to "<0xFF>", which stand for the bytes of what has no other token.
std::vector<std::int32_t> byte_tokens(const Vocabulary& vocabulary);

/// Of each token whether it is what the model makes of its own text, found out when first asked:
/// then a word that is such a token needs no work.
class WholeWords {
 public:
  explicit WholeWords(Dim size) : states_(static_cast<std::size_t>(size)) {}

  template <class Check>
  bool operator()(std::int32_t id, const Check& check) const {
    std::atomic<std::uint8_t>& state = states_[static_cast<std::size_t>(id)];
    const std::uint8_t known = state.load(std::memory_order_relaxed);
    if (known != 0) return known == 1;
    const bool whole = check();
    state.store(whole ? 1 : 2, std::memory_order_relaxed);  // whoever finds out finds the same
    return whole;
  }

 private:
  mutable std::vector<std::atomic<std::uint8_t>> states_;
};

}  // namespace fovea::hub
