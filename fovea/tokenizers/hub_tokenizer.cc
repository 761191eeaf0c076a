#include "fovea/tokenizers/hub_tokenizer.h"

#include <algorithm>

#include "fovea/base/atomic_file.h"
#include "fovea/tokenizers/byte_characters.h"
#include "fovea/tokenizers/tokenizer_state.h"

namespace fovea {
namespace {

using hub::no_id;
using Tokens = std::vector<hub::Token>;
using Kind = hub::TemplatePart::Kind;

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
  const Json json = parse_json(text, name);
  const Json no_config = Json::object();
  auto state = std::make_shared<State>(hub::JsonPart(json, name + ": "),
                                       hub::JsonPart(no_config, "tokenizer_config.json: "));
  state->file = text;
  return HubTokenizer(std::move(state));
}

HubEncoding HubTokenizer::encode(std::string_view text, const HubEncodeOptions& options) const {
  return assemble(state_->post.single, state_->tokens(text, options.spelled), {}, options);
}

HubEncoding HubTokenizer::encode_pair(std::string_view text, std::string_view pair,
                                      const HubEncodeOptions& options) const {
  return assemble(state_->post.pair, state_->tokens(text, options.spelled),
                  state_->tokens(pair, options.spelled), options);
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

TextLayout HubTokenizer::layout() const {
  TextLayout layout;
  Ids* into = &layout.before;
  for (const hub::TemplatePart& part : state_->post.single) {
    if (part.kind == Kind::text) {
      into = &layout.after;
    } else {
      into->insert(into->end(), part.ids.begin(), part.ids.end());
    }
  }
  Ids before;
  into = &before;
  bool fits = true;
  for (const hub::TemplatePart& part : state_->post.pair) {
    if (part.kind == Kind::text) {
      fits = fits && part.type == 0;
      into = &layout.between;
    } else if (part.kind == Kind::pair) {
      fits = fits && into == &layout.between;
      into = &layout.behind;
      layout.second_kind = part.type;
    } else {
      into->insert(into->end(), part.ids.begin(), part.ids.end());
    }
  }
  FOVEA_CHECK(fits && before == layout.before, ErrorKind::bad_file,
              "tokenizer.json: post_processor: expected marks, the first text of kind 0, marks, ",
              "the second text, marks, found another order or other kinds");
  return layout;
}

HubTokenizer::Edge HubTokenizer::edge(std::int32_t id) const {
  constexpr std::string_view space_mark = "▁";
  const std::string_view spelled = token(id);
  const auto by_space = [](std::string_view text, std::string_view space) {
    return text == space ? Edge::blank : text.starts_with(space) ? Edge::opens : Edge::inside;
  };
  switch (state_->spelling) {
    case State::Spelling::prefixed:
      return spelled.starts_with(state_->prefix) ? Edge::inside : Edge::opens;
    case State::Spelling::spaced:
      return by_space(spelled, space_mark);
    case State::Spelling::bytes: {
      const std::string bytes = hub::bytes_of_characters(spelled).value_or(std::string(spelled));
      const auto white = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
      if (bytes.empty() || !white(bytes.front())) return Edge::inside;
      return std::all_of(bytes.begin(), bytes.end(), white) ? Edge::blank : Edge::opens;
    }
    case State::Spelling::whole:
      return Edge::opens;
  }
  return Edge::opens;
}

std::string HubTokenizer::shown(std::int32_t id) const {
  const std::string_view spelled = token(id);
  if (state_->spelling != State::Spelling::bytes) return std::string(spelled);
  const std::string bytes = hub::bytes_of_characters(spelled).value_or("");
  const auto control = [](char c) { return c >= 0 && c < ' '; };
  if (bytes.empty() || !valid_utf8(bytes) || std::any_of(bytes.begin(), bytes.end(), control)) {
    return std::string(spelled);
  }
  std::string text;
  for (const char c : bytes) text += c == ' ' ? std::string("▁") : std::string(1, c);
  return text;
}

std::vector<std::string> HubTokenizer::save(const std::filesystem::path& folder) const {
  write_atomically(folder / "tokenizer.json", state_->file);
  write_atomically(folder / "tokenizer_config.json", state_->settings);
  return {"tokenizer.json", "tokenizer_config.json"};
}

}  // namespace fovea
