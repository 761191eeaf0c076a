#include "fovea/hub/tokenizer.h"

#include <algorithm>

#include "fovea/hub/tokenizer_state.h"

namespace fovea {
namespace {

using hub::no_id;
using Tokens = std::vector<hub::Token>;

/// Takes the end from the longer of the two until they fit.
void cut(Tokens& text, Tokens& pair, Dim room) {
  auto most = static_cast<std::size_t>(std::max<Dim>(room, 0));
  if (text.size() + pair.size() <= most) return;
  Tokens& shorter = text.size() <= pair.size() ? text : pair;
  Tokens& longer = text.size() <= pair.size() ? pair : text;
  if (shorter.size() <= most / 2) {
    longer.resize(most - shorter.size());
  } else {
    shorter.resize(most / 2);
    longer.resize(most - most / 2);
  }
}

}  // namespace

HubTokenizer HubTokenizer::parse(std::string_view text, const std::string& name) {
  const Json json = Json::parse(text.begin(), text.end(), nullptr, false);
  FOVEA_CHECK(!json.is_discarded(), name, ": is no JSON; is the file whole?");
  const Json no_config = Json::object();
  return HubTokenizer(std::make_shared<State>(hub::JsonPart(json, name + ": "),
                                              hub::JsonPart(no_config, "tokenizer_config.json: ")));
}

HubEncoding HubTokenizer::encode(std::string_view text, const HubEncodeOptions& options) const {
  return assemble(state_->post.single, state_->tokens(text), {}, options);
}

HubEncoding HubTokenizer::encode_pair(std::string_view text, std::string_view pair,
                                      const HubEncodeOptions& options) const {
  return assemble(state_->post.pair, state_->tokens(text), state_->tokens(pair), options);
}

HubEncoding HubTokenizer::assemble(const std::vector<hub::TemplatePart>& parts, Tokens text,
                                   Tokens pair, const HubEncodeOptions& options) const {
  const Dim around = options.special ? hub::PostProcessor::special_count(parts) : 0;
  if (options.max_length > 0) cut(text, pair, options.max_length - around);
  HubEncoding all;
  const std::size_t size = text.size() + pair.size() + static_cast<std::size_t>(around);
  all.ids.reserve(size);
  all.tokens.reserve(size);
  all.type_ids.reserve(size);
  all.offsets.reserve(size);
  all.source.reserve(size);
  const auto put = [&](std::int32_t id, hub::Span span, std::int32_t type, std::int8_t source) {
    all.ids.push_back(id);
    all.tokens.push_back(state_->token(id));
    all.type_ids.push_back(type);
    all.offsets.push_back(span);
    all.source.push_back(source);
  };
  for (const hub::TemplatePart& part : parts) {
    if (part.kind == hub::TemplatePart::Kind::special) {
      for (const std::int32_t id : part.ids) {
        if (options.special) put(id, {}, part.type, -1);
      }
      continue;
    }
    const bool first = part.kind == hub::TemplatePart::Kind::text;
    for (const auto& [id, span] : first ? text : pair) put(id, span, part.type, first ? 0 : 1);
  }
  return all;
}

std::string HubTokenizer::decode(std::span<const std::int32_t> ids, bool skip_special) const {
  std::vector<std::string> tokens;
  for (const std::int32_t id : ids) {
    const std::string_view text = token(id);
    if (text.empty() || (skip_special && is_special(id))) continue;
    tokens.emplace_back(text);
  }
  std::string joined;
  if (state_->decoder) (*state_->decoder)(tokens);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (i > 0 && !state_->decoder) joined += ' ';
    joined += tokens[i];
  }
  return joined;
}

Dim HubTokenizer::size() const {
  return std::max(state_->model->vocabulary().end(), state_->added.beyond_model().end());
}

std::string_view HubTokenizer::token(std::int32_t id) const { return state_->token(id); }

std::optional<std::int32_t> HubTokenizer::id(std::string_view token) const {
  const std::int32_t id = state_->id(token);
  return id == no_id ? std::nullopt : std::optional(id);
}

bool HubTokenizer::is_special(std::int32_t id) const { return state_->added.is_special(id); }

const HubSpecialIds& HubTokenizer::special_ids() const { return state_->special; }

std::optional<Dim> HubTokenizer::max_length() const { return state_->max_length; }

}  // namespace fovea
