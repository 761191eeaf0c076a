/// What a tokenizer is made of. Internal to the room.
#pragma once

#include "fovea/tokenizers/added_tokens.h"
#include "fovea/tokenizers/decoder.h"
#include "fovea/tokenizers/hub_tokenizer.h"
#include "fovea/tokenizers/model.h"
#include "fovea/tokenizers/normalizer.h"
#include "fovea/tokenizers/post_processor.h"
#include "fovea/tokenizers/pre_tokenizer.h"

namespace fovea {

struct HubTokenizer::State {
  /// `config` is tokenizer_config.json with special_tokens_map.json, or an empty object.
  State(const hub::JsonPart& json, const hub::JsonPart& config);

  /// How tokens tell where words begin.
  enum class Spelling {
    prefixed,  // what goes on with a word begins with `prefix`: "##ing"
    spaced,    // what begins a word begins with its space: "▁the"
    bytes,     // the same, spelled by byte_characters.h: "Ġthe"
    whole,     // each is a word
  };

  std::unique_ptr<hub::Normalizer> normalizer = nullptr;  // null: none
  hub::PreTokenizing pre_tokenizing = {};
  std::unique_ptr<hub::TokenModel> model;
  hub::AddedTokens added;
  hub::PostProcessor post = {};
  std::unique_ptr<hub::Decoder> decoder = nullptr;  // null: tokens with spaces between
  HubSpecialIds special = {};
  std::optional<Dim> max_length = std::nullopt;
  Spelling spelling = Spelling::whole;
  std::string prefix = {};
  std::string file = {}, settings = {};  // tokenizer.json and tokenizer_config.json

  std::string_view token(std::int32_t id) const;
  std::int32_t id(std::string_view token) const;

  /// The tokens of a text, with nothing around them. Spans are bytes of the text.
  std::vector<hub::Token> tokens(std::string_view text, SpelledSpecial spelled) const;

 private:
  void read_special(const hub::JsonPart& config);
  void read_spelling(const hub::JsonPart& model);
  void check_templates(const hub::JsonPart& json) const;
};

}  // namespace fovea
