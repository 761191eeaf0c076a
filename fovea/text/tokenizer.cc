#include "fovea/text/tokenizer.h"

#include <algorithm>
#include <set>
#include <utility>

#include "fovea/base/check.h"
#include "fovea/text/state.h"
#include "fovea/unicode/utf8.h"

namespace fovea {
namespace {

constexpr std::array<const char*, 3> reserved_names = {"<unk>", "<s>", "</s>"};

void check_config(const TokenizerConfig& config) {
  std::set<std::string_view> names(reserved_names.begin(), reserved_names.end());
  for (const std::string& name : config.controls) {
    FOVEA_CHECK(!name.empty() && valid_utf8(name), ErrorKind::bad_setting,
                "controls: a name is no text");
    FOVEA_CHECK(names.insert(name).second, ErrorKind::bad_setting, "controls: '", name,
                "' is there already");
  }
  const bool pieces = config.kind == TokenizerKind::bpe || config.kind == TokenizerKind::unigram;
  const Dim least = text::first_unit(config) + 1;
  FOVEA_CHECK(config.kind == TokenizerKind::bytes || config.vocabulary >= least ||
                  (!pieces && config.vocabulary == 0),
              ErrorKind::bad_setting, "vocabulary: expected at least ", least,
              " (unknown, begin, end, ", config.controls.size(),
              " control symbols and one for text), found ", config.vocabulary);
  FOVEA_CHECK(config.vocabulary <= 10'000'000, ErrorKind::bad_setting,
              "vocabulary: expected at most ten million, found ", config.vocabulary);
}

std::unique_ptr<text::Units> units_of(const TokenizerConfig& config, const text::Learned& learned) {
  switch (config.kind) {
    case TokenizerKind::bpe:
    case TokenizerKind::unigram:
      return text::piece_units(config.kind, learned);
    case TokenizerKind::characters:
      return text::character_units(learned);
    case TokenizerKind::words:
      return text::word_units(config, learned);
    case TokenizerKind::bytes:
      return text::byte_units();
    case TokenizerKind::marian:
      return text::marian_units(learned);
    case TokenizerKind::hub:
      break;
  }
  fail(ErrorKind::internal, "no such kind of tokenizer");
}

text::Learned learn(const TokenizerConfig& config, const Tokenizer::Lines& lines) {
  switch (config.kind) {
    case TokenizerKind::bpe:
    case TokenizerKind::unigram:
      return text::learn_pieces(config, lines);
    case TokenizerKind::characters:
    case TokenizerKind::words:
      return text::learn_symbols(config, lines);
    case TokenizerKind::bytes:
      return {};  // all bytes are known
    case TokenizerKind::hub:
    case TokenizerKind::marian:
      fail(ErrorKind::bad_setting,
           "kind = \"hub\" is the tokenizer of a model that `fovea import` made: it is not "
           "learned; ",
           "name the model by model.from, or take another kind");
  }
  fail(ErrorKind::internal, "no such kind of tokenizer");
}

}  // namespace

Tokenizer::State::State(TokenizerConfig config_, text::Learned learned_)
    : config(std::move(config_)), learned(std::move(learned_)) {
  check_config(config);
  units = units_of(config, learned);
  if (config.kind == TokenizerKind::marian) {
    special = text::marian_ids(learned.symbols);
    layout = {.after = {special.end}};
    return;
  }
  first = static_cast<std::int32_t>(text::first_unit(config));
  layout = {{special.begin}, {special.end}, {special.end}, {special.end}};
}

Tokenizer::State::State(HubTokenizer tokenizer, Dim vocabulary)
    : config{.kind = TokenizerKind::hub,
             .vocabulary = vocabulary > 0 ? vocabulary : tokenizer.size(),
             .form = TextForm::none},
      units(text::hub_units(tokenizer, config.vocabulary)),
      special(text::special_ids(tokenizer)),
      layout(tokenizer.layout()),
      hub(std::move(tokenizer)) {}

Tokenizer Tokenizer::of(HubTokenizer tokenizer, Dim vocabulary) {
  return Tokenizer(std::make_shared<State>(std::move(tokenizer), vocabulary));
}

Tokenizer Tokenizer::of_marian(std::string model, std::vector<std::string> pieces) {
  TokenizerConfig config = {
      .kind = TokenizerKind::marian, .vocabulary = std::ssize(pieces), .form = TextForm::none};
  return Tokenizer(std::make_shared<State>(
      config, text::Learned{.symbols = std::move(pieces), .model = std::move(model)}));
}

Tokenizer Tokenizer::train(const TokenizerConfig& config, const Lines& lines) {
  check_config(config);
  const Lines normalised = [&](std::string& line) {
    if (!lines(line)) return false;
    line = fovea::normalise(line, config.form, config.lowercase);
    return true;
  };
  return Tokenizer(std::make_shared<State>(config, learn(config, normalised)));
}

const TokenizerConfig& Tokenizer::config() const { return state_->config; }

Dim Tokenizer::size() const { return state_->first + state_->units->size(); }

const SpecialIds& Tokenizer::special() const { return state_->special; }

const TextLayout& Tokenizer::layout() const { return state_->layout; }

std::string Tokenizer::normalise(std::string_view text) const {
  return fovea::normalise(text, config().form, config().lowercase);
}

Ids Tokenizer::numbered(Ids units) const {
  for (std::int32_t& unit : units) {
    unit = unit == text::no_unit ? special().unknown : unit + state_->first;
  }
  return units;
}

Ids Tokenizer::encode(std::string_view text) const {
  return numbered(state_->units->encode(normalise(text)));
}

std::vector<Ids> Tokenizer::encode_words(std::span<const std::string> words) const {
  std::vector<std::string> normal;
  for (const std::string& word : words) normal.push_back(normalise(word));
  std::vector<Ids> all = state_->units->encode_words(normal);
  for (Ids& units : all) units = numbered(std::move(units));
  return all;
}

std::optional<PlacedIds> Tokenizer::encode_placed(std::string_view text) const {
  return state_->units->encode_placed(text);
}

Ids Tokenizer::encode_masked(std::string_view text) const {
  const auto mask = control(mask_name);
  FOVEA_CHECK(mask, "the tokenizer has no mask (a control symbol ", mask_name, ")");
  const std::string_view theirs = state_->hub ? state_->hub->token(*mask) : std::string_view();
  std::string named;  // of theirs, who look for it in the text
  Ids ids;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(mask_name, at), text.size());
    const std::string_view part = text.substr(at, end - at);
    const bool more = end < text.size();
    if (state_->hub) {
      named.append(part).append(more ? theirs : "");
    } else {
      const Ids here = encode(part);
      ids.insert(ids.end(), here.begin(), here.end());
      if (more) ids.push_back(*mask);
    }
    if (!more) break;
    at = end + mask_name.size();
  }
  if (!state_->hub) return ids;
  return state_->hub->encode(named, {.special = false, .spelled = SpelledSpecial::mask}).ids;
}

Ids Tokenizer::sample(std::string_view text, Draws draws, double dropout) const {
  FOVEA_CHECK(dropout >= 0 && dropout <= 1, "sample: expected a dropout of 0 to 1, found ",
              dropout);
  return numbered(state_->units->sample(normalise(text), draws, dropout));
}

bool Tokenizer::is_control(std::int32_t id) const {
  FOVEA_CHECK(id >= 0 && id < size(), "id ", id, " is not of this tokenizer, which has ", size());
  if (id == special().unknown && id != special().end) return false;
  return id < state_->first || state_->units->is_control(state_->unit(id));
}

std::int32_t Tokenizer::first_of_text() const { return state_->first; }

Ids Tokenizer::controls() const {
  Ids ids;
  for (std::int32_t id = 0; id < size(); ++id) {
    if (is_control(id)) ids.push_back(id);
  }
  return ids;
}

std::string Tokenizer::decode(std::span<const std::int32_t> ids) const {
  Ids units;
  for (const std::int32_t id : ids) {
    if (!is_control(id)) units.push_back(state_->unit(id));
  }
  return repaired_utf8(state_->units->decode(units));
}

std::string Tokenizer::piece(std::int32_t id) const {
  if (state_->units_number() || (id != special().unknown && !is_control(id))) {
    FOVEA_CHECK(id >= 0 && id < size(), "id ", id, " is not of this tokenizer");
    return state_->units->piece(state_->unit(id));
  }
  constexpr auto reserved = static_cast<std::int32_t>(reserved_names.size());
  return id < reserved ? reserved_names[static_cast<std::size_t>(id)]
                       : config().controls[static_cast<std::size_t>(id - reserved)];
}

std::vector<std::string> Tokenizer::pieces(std::string_view text) const {
  return state_->units->pieces(normalise(text));
}

std::optional<std::int32_t> Tokenizer::control(std::string_view name) const {
  if (state_->hub) {
    const std::int32_t mask = state_->hub->special_ids().mask;
    if (name == mask_name && mask >= 0) return mask;
    const auto id = state_->hub->id(name);
    return id && is_control(*id) ? id : std::nullopt;
  }
  const auto& controls = config().controls;
  const auto found = std::find(controls.begin(), controls.end(), name);
  if (found == controls.end()) return std::nullopt;
  return static_cast<std::int32_t>(reserved_names.size()) +
         static_cast<std::int32_t>(found - controls.begin());
}

std::vector<Dim> Tokenizer::words(std::span<const std::int32_t> ids) const {
  std::vector<Dim> words;
  Dim word = 0;
  bool after_control = false, after_blank = false;
  for (const std::int32_t id : ids) {
    const bool here = is_control(id);
    const text::Edge edge = here ? text::Edge::opens : state_->units->edge(state_->unit(id));
    const bool begins = here || after_control || (edge != text::Edge::inside && !after_blank);
    if (begins && !words.empty()) ++word;
    words.push_back(word);
    after_control = here;
    after_blank = edge == text::Edge::blank;
  }
  return words;
}

}  // namespace fovea
