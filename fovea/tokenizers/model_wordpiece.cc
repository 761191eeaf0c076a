/// WordPiece as BERT has it (Devlin et al. 2019; Schuster and Nakajima 2012): always the longest
/// piece that the rest of the word begins with. A word that is not all pieces is unknown as a
/// whole.
#include "fovea/tokenizers/model.h"
#include "fovea/tokenizers/trie.h"
#include "fovea/unicode/utf8.h"

namespace fovea::hub {
namespace {

std::int32_t unknown_of(const JsonPart& json, const Vocabulary& vocabulary) {
  const std::string text = json.text("unk_token");
  const std::int32_t id = vocabulary.find(text);
  if (id == no_id) json.at("unk_token").wrong("'", text, "' is not in the vocabulary");
  return id;
}

class WordPiece : public TokenModel {
 public:
  explicit WordPiece(const JsonPart& json)
      : TokenModel(read_vocabulary(json.at("vocab"))), unknown_(unknown_of(json, vocabulary_)) {
    longest_word_ = json.has("max_input_chars_per_word")
                        ? static_cast<std::size_t>(json.at("max_input_chars_per_word").whole())
                        : 100;
    std::vector<Trie::Key> keys;
    for (Dim id = 0; id < vocabulary_.end(); ++id) {
      const std::string_view text = vocabulary_.text(id);
      if (!text.empty()) keys.emplace_back(text, static_cast<std::int32_t>(id));
    }
    pieces_ = Trie(std::move(keys));
    const std::string prefix = json.has("continuing_subword_prefix")
                                   ? json.text("continuing_subword_prefix")
                                   : std::string("##");
    continues_ = pieces_.walk(inside_, prefix);
  }

  void tokenize(std::string_view word, std::uint32_t at,
                std::vector<Token>& tokens) const override {
    const auto size = static_cast<std::uint32_t>(word.size());
    const std::size_t before = tokens.size();
    const bool too_long = word.size() > longest_word_ && code_points_in(word) > longest_word_;
    std::uint32_t begin = 0;
    while (begin < size && !too_long) {
      if (begin > 0 && !continues_) break;
      const Trie::Match piece =
          pieces_.longest(word.substr(begin), begin == 0 ? Trie::root : inside_);
      if (piece.value == no_id) break;
      const auto end = begin + static_cast<std::uint32_t>(piece.size);
      tokens.push_back({piece.value, {at + begin, at + end}});
      begin = end;
    }
    if (begin == size) return;
    tokens.resize(before);
    tokens.push_back({unknown_, {at, at + size}});
  }

  std::int32_t unknown() const override { return unknown_; }

 private:
  Trie pieces_;
  std::uint32_t inside_ = Trie::root;  // where the prefix of pieces within a word leads
  bool continues_ = false;             // whether it leads anywhere
  std::int32_t unknown_;
  std::size_t longest_word_;
};

class WordLevel : public TokenModel {
 public:
  explicit WordLevel(const JsonPart& json)
      : TokenModel(read_vocabulary(json.at("vocab"))), unknown_(unknown_of(json, vocabulary_)) {}

  void tokenize(std::string_view word, std::uint32_t at,
                std::vector<Token>& tokens) const override {
    const std::int32_t id = vocabulary_.find(word);
    tokens.push_back(
        {id == no_id ? unknown_ : id, {at, at + static_cast<std::uint32_t>(word.size())}});
  }

  std::int32_t unknown() const override { return unknown_; }

 private:
  std::int32_t unknown_;
};

}  // namespace

std::unique_ptr<TokenModel> read_wordpiece(const JsonPart& json) {
  return std::make_unique<WordPiece>(json);
}

std::unique_ptr<TokenModel> read_wordlevel(const JsonPart& json) {
  return std::make_unique<WordLevel>(json);
}

}  // namespace fovea::hub
