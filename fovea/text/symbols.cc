/// Characters, words and bytes: units that need only be counted.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "fovea/base/check.h"
#include "fovea/text/split.h"
#include "fovea/text/units.h"
#include "fovea/unicode/utf8.h"

namespace fovea::text {
namespace {

bool all_space(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (!is_space(next_code_point(text, at))) return false;
  }
  return true;
}

/// A list of symbols and where each of them stands in it.
class Symbols {
 public:
  explicit Symbols(std::vector<std::string> names) : names_(std::move(names)) {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      FOVEA_CHECK(!names_[i].empty() && valid_utf8(names_[i]), ErrorKind::bad_file, "symbol ", i,
                  " is no text");
      const bool is_new = numbers_.emplace(names_[i], static_cast<std::int32_t>(i)).second;
      FOVEA_CHECK(is_new, ErrorKind::bad_file, "symbol '", names_[i], "' is there twice");
    }
  }
  Symbols(const Symbols&) = delete;  // numbers_ looks into names_
  Symbols& operator=(const Symbols&) = delete;

  Dim size() const { return static_cast<Dim>(names_.size()); }
  std::int32_t find(std::string_view name) const {
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? no_unit : found->second;
  }
  std::string_view operator[](std::int32_t unit) const {
    return unit == no_unit ? unknown_mark
                           : std::string_view(names_[static_cast<std::size_t>(unit)]);
  }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string_view, std::int32_t> numbers_;
};

class CharacterUnits final : public Units {
 public:
  explicit CharacterUnits(const Learned& learned) : symbols_(learned.symbols) {}
  Dim size() const override { return symbols_.size(); }
  Ids encode(std::string_view text) const override {
    Ids units;
    for_each_character(text, [&](std::string_view c) { units.push_back(symbols_.find(c)); });
    return units;
  }
  std::string decode(std::span<const std::int32_t> units) const override {
    std::string text;
    for (const std::int32_t unit : units) text += symbols_[unit];
    return text;
  }
  std::string piece(std::int32_t unit) const override {
    return std::string(edge(unit) == Edge::blank ? space_mark : symbols_[unit]);
  }
  Edge edge(std::int32_t unit) const override {
    return all_space(symbols_[unit]) ? Edge::blank : Edge::inside;
  }

 private:
  Symbols symbols_;
};

class WordUnits final : public Units {
 public:
  WordUnits(const TokenizerConfig& config, const Learned& learned)
      : marks_apart_(config.marks_apart), symbols_(learned.symbols) {}
  Dim size() const override { return symbols_.size(); }
  Ids encode(std::string_view text) const override {
    Ids units;
    for_each_word(text, marks_apart_,
                  [&](std::string_view word) { units.push_back(symbols_.find(word)); });
    return units;
  }
  std::vector<std::string> pieces(std::string_view text) const override {
    std::vector<std::string> all;
    for_each_word(text, marks_apart_, [&](std::string_view word) { all.emplace_back(word); });
    return all;
  }
  std::string decode(std::span<const std::int32_t> units) const override {
    std::string text;
    for (const std::int32_t unit : units) {
      if (!text.empty()) text += ' ';
      text += symbols_[unit];
    }
    return text;
  }
  std::string piece(std::int32_t unit) const override { return std::string(symbols_[unit]); }
  Edge edge(std::int32_t) const override { return Edge::opens; }

 private:
  bool marks_apart_;
  Symbols symbols_;
};

class ByteUnits final : public Units {
 public:
  Dim size() const override { return 256; }
  Ids encode(std::string_view text) const override {
    Ids units;
    units.reserve(text.size());
    for (const char c : text) units.push_back(static_cast<unsigned char>(c));
    return units;
  }
  std::string decode(std::span<const std::int32_t> units) const override {
    std::string text;
    for (const std::int32_t unit : units) {
      if (unit == no_unit) {
        text += unknown_mark;
      } else {
        text += static_cast<char>(unit);
      }
    }
    return text;
  }
  std::string piece(std::int32_t unit) const override {
    constexpr std::string_view digits = "0123456789ABCDEF";
    if (unit == ' ') return std::string(space_mark);
    if (unit > ' ' && unit < 127) return std::string(1, static_cast<char>(unit));
    return {'<', '0', 'x', digits[unit / 16], digits[unit % 16], '>'};
  }
  Edge edge(std::int32_t unit) const override {
    return unit == ' ' || (unit >= '\t' && unit <= '\r') ? Edge::blank : Edge::inside;
  }
};

}  // namespace

Learned learn_symbols(const TokenizerConfig& config, const Tokenizer::Lines& lines) {
  std::unordered_map<std::string, Dim> counts;
  const auto count = [&](std::string_view symbol) { ++counts[std::string(symbol)]; };
  for (std::string line; lines(line);) {
    if (config.kind == TokenizerKind::words) {
      for_each_word(line, config.marks_apart, count);
    } else {
      for_each_character(line, count);
    }
  }
  FOVEA_CHECK(!counts.empty(), "a tokenizer cannot be trained on an empty text");

  std::vector<std::pair<std::string, Dim>> order(counts.begin(), counts.end());
  std::erase_if(order, [&](const auto& entry) { return entry.second < config.min_count; });
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  FOVEA_CHECK(!order.empty(), ErrorKind::bad_setting,
              "no symbol of the text occurs min_count = ", config.min_count,
              " times; lower min_count");
  if (config.vocabulary > 0) {
    const Dim room = config.vocabulary - first_unit(config);
    order.resize(std::min(order.size(), static_cast<std::size_t>(room)));
  }
  Learned learned;
  for (auto& [symbol, times] : order) learned.symbols.push_back(std::move(symbol));
  return learned;
}

std::unique_ptr<Units> character_units(const Learned& learned) {
  return std::make_unique<CharacterUnits>(learned);
}
std::unique_ptr<Units> word_units(const TokenizerConfig& config, const Learned& learned) {
  return std::make_unique<WordUnits>(config, learned);
}
std::unique_ptr<Units> byte_units() { return std::make_unique<ByteUnits>(); }

}  // namespace fovea::text
