#include "fovea/tasks/mask/masking.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/base/check.h"

namespace fovea {
namespace {

/// Places that are hidden together: those of a word, or each for itself.
std::vector<Ids> units_of(std::span<const std::int32_t> tokens, const Tokenizer& words,
                          bool whole_words) {
  const std::vector<Dim> word = whole_words ? words.words(tokens) : std::vector<Dim>();
  std::vector<Ids> units;
  Dim last = -1;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (words.is_control(tokens[i])) continue;
    if (!whole_words || word[i] != last) units.emplace_back();
    if (whole_words) last = word[i];
    units.back().push_back(static_cast<std::int32_t>(i));
  }
  return units;
}

}  // namespace

Masked masked(std::span<const std::int32_t> tokens, const Tokenizer& words,
              const MaskingConfig& config, const Draws& draws) {
  const auto mask = words.control(mask_name);
  FOVEA_CHECK(mask, "masking: the tokenizer has no control symbol ", mask_name);
  const std::vector<Ids> units = units_of(tokens, words, config.whole_words);
  std::size_t hideable = 0;
  for (const Ids& unit : units) hideable += unit.size();
  const auto wanted = static_cast<std::size_t>(
      std::max(1.0, std::round(config.share * static_cast<double>(hideable))));

  std::vector<std::uint32_t> order(units.size()), key;
  std::iota(order.begin(), order.end(), 0U);
  for (const std::uint32_t unit : order) key.push_back(draws.bits(unit));
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(key[a], a) < std::pair(key[b], b);
  });

  Masked result{.tokens = {tokens.begin(), tokens.end()}};
  for (const std::uint32_t unit : order) {
    const std::size_t all = result.places.size() + units[unit].size();
    if (result.places.size() >= wanted) break;
    if (all > wanted && !result.places.empty()) continue;  // a word that is too long for the rest
    result.places.insert(result.places.end(), units[unit].begin(), units[unit].end());
  }
  std::sort(result.places.begin(), result.places.end());

  const std::int32_t first = words.first_of_text();
  const auto others = static_cast<std::uint32_t>(words.size() - first);
  for (const std::int32_t place : result.places) {
    const auto at = static_cast<std::size_t>(place);
    result.targets.push_back(tokens[at]);
    const std::uint64_t draw = tokens.size() + 2 * at;  // beyond those of the order
    const float chance = draws.uniform(draw);
    if (chance < 0.8F) {
      result.tokens[at] = *mask;
    } else if (chance < 0.9F) {
      const std::int32_t other = first + static_cast<std::int32_t>(draws.below(draw + 1, others));
      if (!words.is_control(other)) result.tokens[at] = other;
    }
  }
  return result;
}

}  // namespace fovea
