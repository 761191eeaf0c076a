/// Tokenizers as Hugging Face's models carry them, id for id.
///
///   HubTokenizer tokenizer = HubTokenizer::load("all-MiniLM-L6-v2");
///   HubEncoding words = tokenizer.encode("Two dogs play.");   // [CLS] two dogs play . [SEP]
///   std::string text = tokenizer.decode(words.ids);
///
/// tokenizer.json says all: what a text becomes before it is taken apart, how it is, and what is
/// put around it. Older folders have only the vocabulary (vocab.txt; vocab.json and merges.txt):
/// they are read as their models' own tokenizers would.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/tensor/sequences.h"
#include "fovea/tokenizers/aligned_text.h"
#include "fovea/tokenizers/text_layout.h"

namespace fovea {
namespace hub {
struct TemplatePart;
struct Token;
}  // namespace hub

/// The tokens of a text, or of two. All vectors have the same length.
struct HubEncoding {
  Ids ids = {};
  std::vector<std::string_view> tokens = {};  // stand as long as a copy of the tokenizer does
  std::vector<std::int32_t> type_ids = {};
  std::vector<hub::Span> offsets = {};   // bytes of the text as it was given; special tokens: none
  std::vector<std::int8_t> source = {};  // 0: the text; 1: its pair; -1: a special token put in
};

/// What becomes of special tokens that the text itself spells: "[SEP]", "<mask>".
enum class SpelledSpecial {
  taken,  // they are what they spell, as Hugging Face's tokenizers have it
  mask,   // only the mask is
  plain,  // they are text as any other
};

struct HubEncodeOptions {
  bool special = true;  // whether to put special tokens in
  Dim max_length = 0;  // with them; what is longer loses its end, of two texts the longer one first
  SpelledSpecial spelled = SpelledSpecial::taken;
};

/// The ids of tokens with a duty; -1 where a tokenizer has none.
struct HubSpecialIds {
  std::int32_t cls = -1, sep = -1, mask = -1, pad = -1, begin = -1, end = -1, unknown = -1;
};

/// A handle of something that never changes: copies are cheap, and any thread may use any of them.
class HubTokenizer {
 public:
  struct State;

  /// From a model's folder. Throws Error if a file is damaged or needs what is not known here; the
  /// message names the file, the place in it and what was found.
  static HubTokenizer load(const std::filesystem::path& folder);
  /// From the text of a tokenizer.json, which errors call `name`.
  static HubTokenizer parse(std::string_view json, const std::string& name = "tokenizer.json");

  /// Bytes that are no UTF-8 count as U+FFFD.
  HubEncoding encode(std::string_view text, const HubEncodeOptions& options = {}) const;
  HubEncoding encode_pair(std::string_view text, std::string_view pair,
                          const HubEncodeOptions& options = {}) const;

  /// Ids that are no token give nothing: models often have more ids than their tokenizers.
  std::string decode(std::span<const std::int32_t> ids, bool skip_special = true) const;

  Dim size() const;                               // all ids are below it
  std::string_view token(std::int32_t id) const;  // empty: there is none
  std::optional<std::int32_t> id(std::string_view token) const;
  bool is_special(std::int32_t id) const;
  const HubSpecialIds& special_ids() const;
  /// How long the model's texts may be, special tokens included, if its files say so.
  std::optional<Dim> max_length() const;
  /// What encode puts around texts. An Error if it is of no such form.
  TextLayout layout() const;

  /// Where a token stands in its word, as far as its spelling tells.
  enum class Edge { inside, opens, blank };
  Edge edge(std::int32_t id) const;
  /// A token as a person should see it, its spaces as "▁".
  std::string shown(std::int32_t id) const;

  /// tokenizer.json and tokenizer_config.json, as they were read; of older folders, what they mean.
  /// Returns the names of the files.
  std::vector<std::string> save(const std::filesystem::path& folder) const;

 private:
  HubEncoding assemble(const std::vector<hub::TemplatePart>& parts, std::vector<hub::Token> text,
                       std::vector<hub::Token> pair, const HubEncodeOptions& options) const;
  explicit HubTokenizer(std::shared_ptr<const State> state) : state_(std::move(state)) {}

  std::shared_ptr<const State> state_;
};

}  // namespace fovea
