#include "fovea/config/nearest.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace fovea {
namespace {

/// Insertions, deletions and changes: Levenshtein 1966.
std::size_t changes(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (const char c : a) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change = diagonal + (c != b[j] ? 1 : 0);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  std::string best;
  std::size_t fewest = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const bool begins = word.size() >= 3 && candidate.starts_with(word);
    const std::size_t n = begins ? 1 : changes(word, candidate);
    if (n < fewest) {
      fewest = n;
      best = candidate;
    }
  }
  return best;
}

std::string suggestion(std::string_view word, std::span<const std::string> candidates) {
  const std::string meant = nearest(word, candidates);
  if (!meant.empty()) return "; did you mean '" + meant + "'?";
  std::string all;
  for (const std::string& candidate : candidates) all += (all.empty() ? "" : ", ") + candidate;
  return all.empty() ? "; there are none" : "; there are: " + all;
}

}  // namespace fovea
