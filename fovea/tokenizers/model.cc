#include "fovea/tokenizers/model.h"

#include <algorithm>

namespace fovea::hub {
namespace {

/// Files of the first versions do not say which model they hold.
std::string_view kind_of(const JsonPart& json) {
  if (json.has("type")) return json.type("model", {"WordPiece", "WordLevel", "BPE", "Unigram"});
  if (json.has("merges")) return "BPE";
  if (json.has("vocab") && json.at("vocab").json().is_array()) return "Unigram";
  return json.has("continuing_subword_prefix") ? "WordPiece" : "WordLevel";
}

}  // namespace

std::unique_ptr<TokenModel> read_model(const JsonPart& json, bool byte_level) {
  const std::string_view kind = kind_of(json);
  if (kind == "BPE") return read_bpe(json, byte_level);
  if (byte_level) json.wrong("ByteLevel is supported with BPE only, found ", kind);
  if (kind == "WordPiece") return read_wordpiece(json);
  if (kind == "WordLevel") return read_wordlevel(json);
  return read_unigram(json);
}

Vocabulary read_vocabulary(const JsonPart& json) {
  if (!json.json().is_object()) json.wrong("expected an object of tokens and ids");
  // By falling count of what is known so far, an id may lie far off: smallest first.
  std::vector<std::pair<std::int64_t, std::string_view>> all;
  for (const auto& [text, id] : json.json().items()) {
    all.emplace_back(JsonPart(id, json.where() + "." + text).whole(), text);
  }
  std::sort(all.begin(), all.end());
  Vocabulary vocabulary;
  for (const auto& [id, text] : all) vocabulary.add(text, id, json.where());
  return vocabulary;
}

std::vector<std::int32_t> byte_tokens(const Vocabulary& vocabulary) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::vector<std::int32_t> ids;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    const std::string name = {'<', '0', 'x', digits[byte / 16], digits[byte % 16], '>'};
    ids.push_back(vocabulary.find(name));
  }
  return ids;
}

}  // namespace fovea::hub
