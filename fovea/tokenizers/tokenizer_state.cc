#include "fovea/tokenizers/tokenizer_state.h"

#include <limits>

#include "fovea/tokenizers/char_class.h"
#include "fovea/unicode/utf8.h"

namespace fovea {
namespace {

using hub::JsonPart;
using hub::no_id;
using hub::Span;

/// Appends the tokens of a text: the parts that are added tokens, and what the model makes of
/// words.
class Taking {
 public:
  Taking(const HubTokenizer::State& state, std::string_view text, SpelledSpecial spelled,
         std::vector<hub::Token>& tokens)
      : state_(state),
        text_(text),
        wanted_{spelled == SpelledSpecial::taken,
                spelled == SpelledSpecial::mask ? state.special.mask : no_id},
        tokens_(tokens) {}

  void run() {
    for (const hub::Piece& piece : state_.added.find_raw(text_, wanted_)) {
      const std::string_view part =
          text_.substr(piece.span.begin, piece.span.end - piece.span.begin);
      if (piece.added != no_id) {
        put_added(piece.added, part, piece.span);
      } else {
        run_part({hub::AlignedText(part, piece.span.begin)});
      }
    }
  }

 private:
  void run_part(hub::Pieces all) {
    if (state_.normalizer) (*state_.normalizer)(all.text);
    all.pieces = state_.added.find_normalized(all.text.text(), wanted_);
    if (state_.pre_tokenizing.step) (*state_.pre_tokenizing.step)(all);
    for (const hub::Piece& piece : all.pieces) {
      if (piece.added != no_id) {
        put_added(piece.added, all.text_of(piece),
                  all.text.origin(piece.span.begin, piece.span.end));
        continue;
      }
      const std::size_t first = tokens_.size();
      state_.model->tokenize(all.text_of(piece), piece.span.begin, tokens_);
      for (std::size_t i = first; i < tokens_.size(); ++i) {
        Span& span = tokens_[i].span;
        span = all.text.origin(span.begin, span.end);
        if (state_.post.trim) trim(state_.token(tokens_[i].id), i, span);
      }
    }
  }

  void put_added(std::int32_t number, std::string_view surface, Span span) {
    const auto& token = state_.added.all()[static_cast<std::size_t>(number)];
    if (state_.post.trim) trim(surface, tokens_.size(), span);
    tokens_.push_back({token.id, span});
  }

  /// Takes from the span what is space at the edges of the token; `surface` is the token as text.
  void trim(std::string_view surface, std::size_t index, Span& span) const {
    std::size_t leading = leading_spaces(surface);
    if (leading == 1 && state_.post.prefix_space && (index == 0 || span.begin == 0)) leading = 0;
    for (; leading > 0 && span.begin < span.end; --leading) {
      span.begin += static_cast<std::uint32_t>(hub::character_size(text_[span.begin]));
    }
    for (std::size_t n = trailing_spaces(surface); n > 0 && span.end > span.begin; --n) {
      do --span.end;
      while (span.end > span.begin && (text_[span.end] & 0xC0) == 0x80);
    }
  }

  /// GPT-2's character for a space, or white space itself.
  static bool is_space(char32_t c) { return c == 0x120 || hub::is_white(c); }

  static std::size_t leading_spaces(std::string_view token) {
    std::size_t count = 0;
    for (std::size_t at = 0; at < token.size() && is_space(next_code_point(token, at));) ++count;
    return count;
  }

  static std::size_t trailing_spaces(std::string_view token) {
    std::size_t run = 0;
    hub::for_each_character(
        token, [&](char32_t c, std::size_t, std::size_t) { run = is_space(c) ? run + 1 : 0; });
    return run;
  }

  const HubTokenizer::State& state_;
  std::string_view text_;
  hub::WantedSpecial wanted_;
  std::vector<hub::Token>& tokens_;
};

/// Of each byte of repaired_utf8(text), and of its end, the byte of the text that it comes from.
std::vector<std::uint32_t> bytes_before_repair(std::string_view text) {
  std::vector<std::uint32_t> from;
  std::string character;
  for (std::size_t at = 0; at < text.size();) {
    const auto begin = static_cast<std::uint32_t>(at);
    character.clear();
    append_utf8(character, next_code_point(text, at));
    from.insert(from.end(), character.size(), begin);
  }
  from.push_back(static_cast<std::uint32_t>(text.size()));
  return from;
}

/// A token of tokenizer_config.json: its text, or an object with its text.
std::string content_of(const JsonPart& json) {
  return json.json().is_object() ? json.text("content") : json.text();
}

}  // namespace

HubTokenizer::State::State(const JsonPart& json, const JsonPart& config) {
  if (json.has("normalizer")) normalizer = hub::read_normalizer(json.at("normalizer"));
  if (json.has("pre_tokenizer")) {
    pre_tokenizing = hub::read_pre_tokenizer(json.at("pre_tokenizer"));
  }
  model = hub::read_model(json.at("model"), pre_tokenizing.byte_level);
  if (json.has("added_tokens")) {
    added = hub::AddedTokens(json.at("added_tokens"), model->vocabulary(), normalizer.get());
  }
  if (json.has("post_processor")) {
    post = hub::read_post_processor(json.at("post_processor"));
    check_templates(json.at("post_processor"));
  }
  if (json.has("decoder")) decoder = hub::read_decoder(json.at("decoder"));
  if (json.has("truncation")) max_length = json.at("truncation").at("max_length").whole();
  read_special(config);
  read_spelling(json.at("model"));
  settings = config.json().dump(2) + "\n";
}

void HubTokenizer::State::check_templates(const JsonPart& json) const {
  for (const auto* parts : {&post.single, &post.pair}) {
    for (const hub::TemplatePart& part : *parts) {
      for (const std::int32_t id : part.ids) {
        if (token(id).empty()) json.wrong("puts in the id ", id, ", which no token has");
      }
    }
  }
}

void HubTokenizer::State::read_special(const JsonPart& config) {
  struct Duty {
    std::int32_t HubSpecialIds::*id;
    const char* key;
    std::vector<std::string_view> usual;  // names to look for if the files do not say
  };
  const std::vector<Duty> duties = {
      {&HubSpecialIds::cls, "cls_token", {"[CLS]"}},
      {&HubSpecialIds::sep, "sep_token", {"[SEP]"}},
      {&HubSpecialIds::mask, "mask_token", {"[MASK]", "<mask>"}},
      {&HubSpecialIds::pad, "pad_token", {"[PAD]", "<pad>"}},
      {&HubSpecialIds::begin, "bos_token", {"<s>", "<|begin_of_text|>", "<|endoftext|>"}},
      {&HubSpecialIds::end, "eos_token", {"</s>", "<|end_of_text|>", "<|endoftext|>"}},
      {&HubSpecialIds::unknown, "unk_token", {"[UNK]", "<unk>"}}};
  for (const auto& [member, key, usual] : duties) {
    if (config.has(key)) special.*member = id(content_of(config.at(key)));
    for (const std::string_view name : usual) {
      if (special.*member == no_id && !config.has(key)) special.*member = id(name);
    }
  }
  if (special.unknown == no_id) special.unknown = model->unknown();
  constexpr double no_limit = 1e9;  // transformers writes 1e30 for none
  if (!max_length && config.has("model_max_length") &&
      config.at("model_max_length").number() < no_limit) {
    max_length = static_cast<Dim>(config.at("model_max_length").number());
  }
  if (max_length && *max_length <= 0) max_length = std::nullopt;
}

void HubTokenizer::State::read_spelling(const JsonPart& json) {
  const std::string type = json.has("type") ? json.text("type") : "";
  if (pre_tokenizing.byte_level) {
    spelling = Spelling::bytes;
  } else if (json.has("continuing_subword_prefix")) {
    spelling = Spelling::prefixed;
    prefix = json.text("continuing_subword_prefix");
  } else if (type == "WordPiece") {
    spelling = Spelling::prefixed;
    prefix = "##";
  } else if (type == "Unigram" || type == "BPE") {
    spelling = Spelling::spaced;
  }
  if (prefix.empty() && spelling == Spelling::prefixed) spelling = Spelling::whole;
}

std::string_view HubTokenizer::State::token(std::int32_t id) const {
  const std::string_view text = model->vocabulary().text(id);
  return text.empty() ? added.beyond_model().text(id) : text;
}

std::int32_t HubTokenizer::State::id(std::string_view token) const {
  const std::int32_t id = added.beyond_model().find(token);
  return id == no_id ? model->vocabulary().find(token) : id;
}

std::vector<hub::Token> HubTokenizer::State::tokens(std::string_view text,
                                                    SpelledSpecial spelled) const {
  // What normalizers do may make a text longer; 32 bits hold 18 times this.
  constexpr std::size_t longest = std::numeric_limits<std::uint32_t>::max() / 18;
  FOVEA_CHECK(text.size() <= longest, ErrorKind::too_large, "a text of ", text.size(),
              " bytes is too long; at most ", longest, " at a time");
  std::vector<hub::Token> all;
  all.reserve(text.size() / 4 + 4);
  if (hub::is_ascii(text) || valid_utf8(text)) {
    Taking(*this, text, spelled, all).run();
    return all;
  }
  const std::string repaired = repaired_utf8(text);
  Taking(*this, repaired, spelled, all).run();
  const std::vector<std::uint32_t> from = bytes_before_repair(text);
  for (hub::Token& token : all) token.span = {from[token.span.begin], from[token.span.end]};
  return all;
}

}  // namespace fovea
