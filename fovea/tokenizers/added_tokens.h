/// Tokens that are looked for in the text itself, before anything takes it apart: "[MASK]",
/// "<|endoftext|>".
#pragma once

#include <array>
#include <string>
#include <vector>

#include "fovea/tokenizers/normalizer.h"
#include "fovea/tokenizers/pre_tokenizer.h"
#include "fovea/tokenizers/trie.h"

namespace fovea::hub {

struct AddedToken {
  std::string content;
  std::int32_t id = no_id;
  bool single_word = false;  // only where no word goes on before or after it
  bool lstrip = false;       // takes the space before it
  bool rstrip = false;       // takes the space after it
  bool normalized = false;   // is looked for in the normalised text
  bool special = false;      // is left out of decoded text if so wanted
};

/// Which of the special ones are looked for: all, or one of them at most.
struct WantedSpecial {
  bool all = true;
  std::int32_t one = no_id;
};

class AddedTokens {
 public:
  AddedTokens() = default;
  /// `normalizer` may be null. Ids of tokens that the model has must be the model's.
  AddedTokens(const JsonPart& json, const Vocabulary& model, const Normalizer* normalizer);

  const std::vector<AddedToken>& all() const { return all_; }
  /// Those that the model does not have.
  const Vocabulary& beyond_model() const { return beyond_model_; }
  bool is_special(std::int32_t id) const;

  /// Parts of the text that are one of them, and the parts between.
  std::vector<Piece> find_raw(std::string_view text, const WantedSpecial& wanted) const {
    return raw_.find(text, all_, wanted);
  }
  std::vector<Piece> find_normalized(std::string_view text, const WantedSpecial& wanted) const {
    return normalized_.find(text, all_, wanted);
  }

 private:
  /// Looks for some of them.
  struct Finder {
    Trie trie;
    std::array<bool, 256> begins = {};  // whether one of them begins with this byte
    void set(const std::vector<Trie::Key>& keys);
    std::vector<Piece> find(std::string_view text, const std::vector<AddedToken>& all,
                            const WantedSpecial& wanted) const;
  };

  std::vector<AddedToken> all_;
  std::vector<bool> special_;  // by id
  Vocabulary beyond_model_;
  Finder raw_, normalized_;
};

}  // namespace fovea::hub
