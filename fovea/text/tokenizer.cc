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
    FOVEA_CHECK(!name.empty() && valid_utf8(name), "controls: a name is no text");
    FOVEA_CHECK(names.insert(name).second, "controls: '", name, "' is there already");
  }
  const bool pieces = config.kind == TokenizerKind::bpe || config.kind == TokenizerKind::unigram;
  const Dim least = text::first_unit(config) + 1;
  FOVEA_CHECK(config.kind == TokenizerKind::bytes || config.vocabulary >= least ||
                  (!pieces && config.vocabulary == 0),
              "vocabulary: expected at least ", least, " (unknown, begin, end, ",
              config.controls.size(), " control symbols and one for text), found ",
              config.vocabulary);
  FOVEA_CHECK(config.vocabulary <= 10'000'000, "vocabulary: expected at most ten million, found ",
              config.vocabulary);
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
  }
  fail("no such kind of tokenizer");
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
  }
  fail("no such kind of tokenizer");
}

}  // namespace

Tokenizer::State::State(TokenizerConfig config_, text::Learned learned_)
    : config(std::move(config_)), learned(std::move(learned_)) {
  check_config(config);
  units = units_of(config, learned);
  first = static_cast<std::int32_t>(text::first_unit(config));
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

std::string Tokenizer::normalise(std::string_view text) const {
  return fovea::normalise(text, config().form, config().lowercase);
}

Ids Tokenizer::numbered(Ids units) const {
  for (std::int32_t& unit : units) unit = unit == text::no_unit ? unknown : unit + state_->first;
  return units;
}

Ids Tokenizer::encode(std::string_view text) const {
  return numbered(state_->units->encode(normalise(text)));
}

Ids Tokenizer::sample(std::string_view text, Draws draws, double dropout) const {
  FOVEA_CHECK(dropout >= 0 && dropout <= 1, "sample: expected a dropout of 0 to 1, found ",
              dropout);
  return numbered(state_->units->sample(normalise(text), draws, dropout));
}

bool Tokenizer::is_control(std::int32_t id) const {
  FOVEA_CHECK(id >= 0 && id < size(), "id ", id, " is not of this tokenizer, which has ", size());
  return id != unknown && id < state_->first;
}

std::string Tokenizer::decode(std::span<const std::int32_t> ids) const {
  Ids units;
  for (const std::int32_t id : ids) {
    if (!is_control(id)) units.push_back(state_->unit(id));
  }
  return repaired_utf8(state_->units->decode(units));
}

std::string Tokenizer::piece(std::int32_t id) const {
  if (id == unknown) return reserved_names[unknown];
  if (!is_control(id)) return state_->units->piece(state_->unit(id));
  constexpr auto reserved = static_cast<std::int32_t>(reserved_names.size());
  return id < reserved ? reserved_names[static_cast<std::size_t>(id)]
                       : config().controls[static_cast<std::size_t>(id - reserved)];
}

std::vector<std::string> Tokenizer::pieces(std::string_view text) const {
  return state_->units->pieces(normalise(text));
}

std::optional<std::int32_t> Tokenizer::control(std::string_view name) const {
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
