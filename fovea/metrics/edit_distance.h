/// The fewest changes that turn a reference into a hypothesis, and of which kinds. Levenshtein
/// 1966.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "fovea/base/view.h"

namespace fovea {

struct Edits {
  Dim substitutions = 0;
  Dim insertions = 0;  // tokens that the reference lacks
  Dim deletions = 0;   // tokens that the hypothesis lacks

  Dim total() const { return substitutions + insertions + deletions; }
  Edits& operator+=(const Edits& other) {
    substitutions += other.substitutions;
    insertions += other.insertions;
    deletions += other.deletions;
    return *this;
  }
  bool operator==(const Edits&) const = default;
};

/// Time is the product of the lengths, memory the hypothesis. Where several ways are shortest, that
/// with a substitution is preferred, then a deletion.
///
///   d(i, j) = min(d(i-1, j-1) + [r_i != h_j], d(i-1, j) + 1, d(i, j-1) + 1)
template <class Token>
Edits edit_distance(std::span<const Token> reference, std::span<const Token> hypothesis) {
  std::vector<Edits> row(hypothesis.size() + 1);  // d(i, .)
  for (std::size_t j = 0; j < row.size(); ++j) row[j].insertions = static_cast<Dim>(j);
  for (const Token& token : reference) {
    Edits diagonal = row[0];
    ++row[0].deletions;
    for (std::size_t j = 0; j < hypothesis.size(); ++j) {
      Edits replaced = diagonal, deleted = row[j + 1], inserted = row[j];
      diagonal = row[j + 1];
      replaced.substitutions += token == hypothesis[j] ? 0 : 1;
      ++deleted.deletions;
      ++inserted.insertions;
      row[j + 1] = std::min({replaced, deleted, inserted},
                            [](const Edits& a, const Edits& b) { return a.total() < b.total(); });
    }
  }
  return row.back();
}

}  // namespace fovea
