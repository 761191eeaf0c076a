#include "fovea/tokenizers/added_tokens.h"

#include <algorithm>

#include "fovea/tokenizers/char_class.h"

namespace fovea::hub {
namespace {

AddedToken read_token(const JsonPart& json) {
  AddedToken token;
  token.content = json.text("content");
  token.single_word = json.flag("single_word", false);
  token.lstrip = json.flag("lstrip", false);
  token.rstrip = json.flag("rstrip", false);
  token.special = json.flag("special", false);
  token.normalized = json.flag("normalized", !token.special);
  return token;
}

/// Where the character before this one begins.
std::size_t previous(std::string_view text, std::size_t at) {
  do --at;
  while (at > 0 && (text[at] & 0xC0) == 0x80);
  return at;
}

char32_t character_at(std::string_view text, std::size_t at) { return next_code_point(text, at); }

bool stands_alone(std::string_view text, std::size_t begin, std::size_t end) {
  return (begin == 0 || !is_word(character_at(text, previous(text, begin)))) &&
         (end == text.size() || !is_word(character_at(text, end)));
}

std::size_t before_spaces(std::string_view text, std::size_t at) {
  while (at > 0 && is_white(character_at(text, previous(text, at)))) at = previous(text, at);
  return at;
}

std::size_t after_spaces(std::string_view text, std::size_t at) {
  while (at < text.size() && is_white(character_at(text, at))) at += character_size(text[at]);
  return at;
}

}  // namespace

AddedTokens::AddedTokens(const JsonPart& json, const Vocabulary& model,
                         const Normalizer* normalizer) {
  for (const JsonPart& part : json.elements()) {
    AddedToken token = read_token(part);
    if (token.content.empty()) continue;
    const std::int64_t id = part.at("id").whole();
    const std::int32_t in_model = model.find(token.content);
    if (in_model != no_id && in_model != id) {
      part.wrong("'", token.content, "' has the id ", id, ", but the vocabulary gives it ",
                 in_model);
    }
    if (in_model == no_id && model.has(id)) {
      part.wrong("'", token.content, "' has the id ", id, ", which is that of '", model.text(id),
                 "'");
    }
    if (in_model == no_id) {
      const std::int64_t most = model.end() + 1'000'000;
      if (id >= most)
        part.wrong("'", token.content, "' has the id ", id, ", which is out of range");
      beyond_model_.add(token.content, id, json.where());
    }
    token.id = static_cast<std::int32_t>(id);
    if (token.special) {
      special_.resize(std::max(special_.size(), static_cast<std::size_t>(id) + 1));
      special_[static_cast<std::size_t>(id)] = true;
    }
    all_.push_back(std::move(token));
  }
  // Of two that look the same once normalised, the first wins, special ones before others.
  std::stable_partition(all_.begin(), all_.end(), [](const AddedToken& t) { return t.special; });
  StringIds raw, normal;
  std::vector<std::string> texts;
  for (const AddedToken& token : all_) {
    AlignedText text(token.content, 0);
    if (token.normalized && normalizer) (*normalizer)(text);
    texts.emplace_back(text.text());
  }
  std::vector<Trie::Key> raw_keys, normalized_keys;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const auto number = static_cast<std::int32_t>(i);
    if (texts[i].empty() || !(all_[i].normalized ? normal : raw).add(texts[i], number)) continue;
    (all_[i].normalized ? normalized_keys : raw_keys).emplace_back(texts[i], number);
  }
  raw_.set(raw_keys);
  normalized_.set(normalized_keys);
}

bool AddedTokens::is_special(std::int32_t id) const {
  return id >= 0 && static_cast<std::size_t>(id) < special_.size() &&
         special_[static_cast<std::size_t>(id)];
}

void AddedTokens::Finder::set(const std::vector<Trie::Key>& keys) {
  trie = Trie(keys);
  for (const auto& [text, number] : keys) begins[static_cast<unsigned char>(text[0])] = true;
}

std::vector<Piece> AddedTokens::Finder::find(std::string_view text,
                                             const std::vector<AddedToken>& all,
                                             const WantedSpecial& wanted) const {
  std::vector<Piece> pieces;
  std::size_t done = 0;
  const auto put = [&](std::size_t begin, std::size_t end, std::int32_t added) {
    if (begin >= end) return;
    pieces.push_back({{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)}, added});
  };
  for (std::size_t at = 0; at < text.size();) {
    if (!begins[static_cast<unsigned char>(text[at])]) {
      ++at;
      continue;
    }
    const Trie::Match match = trie.longest(text.substr(at));
    if (match.size == 0) {
      ++at;
      continue;
    }
    std::size_t begin = at, end = at + match.size;
    at = end;
    const AddedToken& token = all[static_cast<std::size_t>(match.value)];
    if (token.special && !wanted.all && token.id != wanted.one) continue;
    if (token.single_word && !stands_alone(text, begin, end)) continue;
    if (token.lstrip) begin = before_spaces(text, begin);
    if (token.rstrip) end = after_spaces(text, end);
    begin = std::max(begin, done);  // the token before it may have taken the space
    put(done, begin, no_id);
    put(begin, end, match.value);
    done = end;
  }
  put(done, text.size(), no_id);
  return pieces;
}

}  // namespace fovea::hub
