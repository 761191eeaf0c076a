#include "fovea/config/nearest.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace fovea {
namespace {

/// Insertions, deletions, changes and swaps of neighbours: the optimal string alignment of Damerau
/// 1964, as typing errors go.
std::size_t changes(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = last[j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0);
      row[j] = std::min({change, last[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::exchange(last, row);
  }
  return last.back();
}

/// More would turn a short word into any other: "foo" is not "look".
std::size_t most_changes(std::string_view word) {
  return word.size() < 5 ? 1 : std::max<std::size_t>(2, word.size() / 3);
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  std::string best;
  std::size_t fewest = most_changes(word) + 1;
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
