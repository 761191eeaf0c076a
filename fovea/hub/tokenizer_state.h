/// What a tokenizer is made of. Internal to the room.
#pragma once

#include "fovea/hub/added_tokens.h"
#include "fovea/hub/decoder.h"
#include "fovea/hub/model.h"
#include "fovea/hub/normalizer.h"
#include "fovea/hub/post_processor.h"
#include "fovea/hub/pre_tokenizer.h"
#include "fovea/hub/tokenizer.h"

namespace fovea {

struct HubTokenizer::State {
  /// `config` is tokenizer_config.json with special_tokens_map.json, or an empty object.
  State(const hub::JsonPart& json, const hub::JsonPart& config);

  std::unique_ptr<hub::Normalizer> normalizer = nullptr;  // null: none
  hub::PreTokenizing pre_tokenizing = {};
  std::unique_ptr<hub::TokenModel> model;
  hub::AddedTokens added;
  hub::PostProcessor post = {};
  std::unique_ptr<hub::Decoder> decoder = nullptr;  // null: tokens with spaces between
  HubSpecialIds special = {};
  std::optional<Dim> max_length = std::nullopt;

  std::string_view token(std::int32_t id) const;
  std::int32_t id(std::string_view token) const;

  /// The tokens of a text, with nothing around them. Spans are bytes of the text.
  std::vector<hub::Token> tokens(std::string_view text) const;

 private:
  void read_special(const hub::JsonPart& config);
  void check_templates(const hub::JsonPart& json) const;
};

}  // namespace fovea
