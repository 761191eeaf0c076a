/// The unigram model (Kudo 2018, "Subword regularization"): of all ways to write a word as pieces
/// the one whose log probabilities have the largest sum, found by Viterbi's algorithm.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "fovea/base/check.h"
#include "fovea/tokenizers/model.h"
#include "fovea/tokenizers/trie.h"

namespace fovea::hub {
namespace {

/// What a character that is no piece costs below the rarest piece, as in SentencePiece.
constexpr double unknown_penalty = 10.0;

/// A score as `tokenizers` reads it: its digits, divided by a power of ten, and so rounded twice.
/// Ways that tie but for rounding must be decided alike.
double read_score(const JsonPart& json) {
  const double exact = json.number();
  std::array<char, 32> text = {};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), std::abs(exact),
                                 std::chars_format::fixed);
  const std::string_view written(text.data(), static_cast<std::size_t>(end.ptr - text.data()));
  const std::size_t point = written.find('.');
  if (end.ec != std::errc() || point == written.npos) return exact;
  std::uint64_t digits = 0;
  for (const char c : written) {
    if (c != '.') digits = digits * 10 + static_cast<std::uint64_t>(c - '0');
  }
  const auto decimals = static_cast<int>(written.size() - point) - 1;
  constexpr int most = 19;  // digits that 64 bits hold
  if (written.size() > most + 1 || decimals > most) return exact;
  return std::copysign(static_cast<double>(digits) / std::pow(10.0, decimals), exact);
}

Vocabulary read_pieces(const JsonPart& json) {
  Vocabulary vocabulary;
  std::int64_t id = 0;
  for (const JsonPart& piece : json.elements()) {
    const auto fields = piece.elements();
    if (fields.size() != 2) piece.wrong("expected a piece and its score");
    vocabulary.add(fields[0].text(), id++, json.where());
  }
  return vocabulary;
}

class Unigram : public TokenModel {
 public:
  explicit Unigram(const JsonPart& json)
      : TokenModel(read_pieces(json.at("vocab"))), whole_(vocabulary_.end()) {
    double least = std::numeric_limits<double>::infinity();
    std::vector<Trie::Key> keys;
    for (const JsonPart& piece : json.at("vocab").elements()) {
      const auto id = static_cast<std::int32_t>(scores_.size());
      scores_.push_back(read_score(piece.elements()[1]));
      least = std::min(least, scores_.back());
      if (!vocabulary_.text(id).empty()) keys.emplace_back(vocabulary_.text(id), id);
    }
    unknown_score_ = least - unknown_penalty;
    pieces_ = Trie(std::move(keys));
    if (json.has("unk_id")) {
      const std::int64_t id = json.at("unk_id").whole();
      if (!vocabulary_.has(id)) json.at("unk_id").wrong(id, " is no piece");
      unknown_ = static_cast<std::int32_t>(id);
    }
    if (json.flag("byte_fallback", false)) bytes_ = byte_tokens(vocabulary_);
  }

  void tokenize(std::string_view word, std::uint32_t at,
                std::vector<Token>& tokens) const override {
    const std::int32_t id = vocabulary_.find(word);
    if (id != no_id && whole_(id, [&] { return best_path(word).size() == 1; })) {
      tokens.push_back({id, {at, at + static_cast<std::uint32_t>(word.size())}});
      return;
    }
    for (const Token& token : best_path(word)) {
      const Span span = {at + token.span.begin, at + token.span.end};
      if (token.id == unknown_) {
        put_unknown(word.substr(token.span.begin, token.span.end - token.span.begin), span, tokens);
      } else {
        tokens.push_back({token.id, span});
      }
    }
  }

  std::int32_t unknown() const override { return unknown_; }

 private:
  /// The best way to this byte of the word.
  struct Best {
    double score = 0;
    std::uint32_t begin = 0;  // of its last piece
    std::int32_t id = no_id;  // of its last piece; no_id: no way yet
  };

  /// The tokens of the word, by their bytes in it; neighbours that are unknown are one. The result
  /// stands until the next call of the thread.
  const std::vector<Token>& best_path(std::string_view word) const {
    thread_local std::vector<Best> best;
    thread_local std::vector<Token> path;
    best.assign(word.size() + 1, {});
    for (std::uint32_t begin = 0; begin < word.size();) {
      const auto one = begin + static_cast<std::uint32_t>(character_size(word[begin]));
      bool one_is_piece = false;
      std::uint32_t node = Trie::root;
      for (std::uint32_t end = begin; end < word.size() && pieces_.step(node, word[end]);) {
        ++end;
        const std::int32_t id = pieces_.value(node);
        if (id == no_id) continue;
        consider(best, begin, end, id, scores_[static_cast<std::size_t>(id)]);
        one_is_piece |= end == one;
      }
      if (!one_is_piece) {
        FOVEA_CHECK(unknown_ != no_id, ErrorKind::bad_file, "the vocabulary has no token for '",
                    word.substr(begin, one - begin), "', and none for what is unknown");
        consider(best, begin, one, unknown_, unknown_score_);
      }
      begin = one;
    }
    path.clear();
    for (auto end = static_cast<std::uint32_t>(word.size()); end > 0; end = best[end].begin) {
      const auto& [score, begin, id] = best[end];
      if (id == unknown_ && !path.empty() && path.back().id == unknown_) {
        path.back().span.begin = begin;
      } else {
        path.push_back({id, {begin, end}});
      }
    }
    std::reverse(path.begin(), path.end());
    return path;
  }

  static void consider(std::vector<Best>& best, std::uint32_t begin, std::uint32_t end,
                       std::int32_t id, double score) {
    const double sum = best[begin].score + score;
    Best& old = best[end];
    if (old.id == no_id || sum > old.score) old = {sum, begin, id};
  }

  void put_unknown(std::string_view text, Span span, std::vector<Token>& tokens) const {
    const std::int32_t id = vocabulary_.find(text);  // joined it may be a piece after all
    if (id != no_id) {
      tokens.push_back({id, span});
      return;
    }
    const auto known = [&](char byte) { return bytes_[static_cast<unsigned char>(byte)] != no_id; };
    if (bytes_.empty() || !std::all_of(text.begin(), text.end(), known)) {
      tokens.push_back({unknown_, span});
      return;
    }
    for (const char byte : text) tokens.push_back({bytes_[static_cast<unsigned char>(byte)], span});
  }

  std::vector<double> scores_;
  Trie pieces_;
  std::int32_t unknown_ = no_id;
  double unknown_score_ = 0;
  std::vector<std::int32_t> bytes_ = {};  // empty: what is unknown is not written as bytes
  WholeWords whole_;
};

}  // namespace

std::unique_ptr<TokenModel> read_unigram(const JsonPart& json) {
  return std::make_unique<Unigram>(json);
}

}  // namespace fovea::hub
