#include "fovea/tasks/idle_settings.h"

#include <algorithm>

#include "fovea/base/check.h"
#include "fovea/config/config.h"

namespace fovea {

bool is_set(std::span<const std::string> settings, std::string_view key) {
  return std::any_of(settings.begin(), settings.end(), [&](const std::string& one) {
    return std::string_view(one).substr(0, one.find('=')) == key;
  });
}

std::vector<std::string> idle_settings(const DecodeConfig& decode,
                                       std::span<const std::string> settings) {
  struct Meaning {
    std::string_view option, key;
    std::vector<Search> searches;  // that it means something to
  };
  static const std::vector<Meaning> meanings = {
      {"--beam", "decode.beam", {Search::beam}},
      {"--n-best", "decode.n_best", {Search::beam, Search::sample}},
      {"--temperature", "decode.temperature", {Search::sample}},
      {"--top-k", "decode.top_k", {Search::sample}},
      {"--top-p", "decode.top_p", {Search::sample}},
      {"--min-p", "decode.min_p", {Search::sample}},
      {"--seed", "decode.seed", {Search::sample}},
  };
  // Sampling at temperature 0 takes the likeliest each time.
  const bool cold = decode.temperature == 0;
  const Search search = decode.search == Search::sample && cold ? Search::greedy : decode.search;
  std::vector<std::string> notes;
  for (const Meaning& one : meanings) {
    if (!is_set(settings, one.key)) continue;
    if (std::ranges::find(one.searches, search) != one.searches.end()) continue;
    if (one.key == "decode.temperature" && cold) continue;  // it has an effect
    notes.push_back(concat(one.option, " has no effect, as the search is ", name_of(search),
                           "; add --search ", name_of(one.searches.front())));
  }
  return notes;
}

}  // namespace fovea
