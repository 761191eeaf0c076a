/// How far up right answers stand among candidates.
///
///   average precision = 1/R sum over the R right ones of (right ones up to its rank) / rank
///   reciprocal rank = 1 / rank of the first right one
///
/// MAP and MRR are their means over questions. A question without a right candidate says nothing of
/// a ranking and is left out, as in trec_eval and in Yang et al. 2015 (WikiQA). Of candidates with
/// equal scores the one that was given first stands first.
#pragma once

#include <span>
#include <vector>

#include "fovea/base/view.h"

namespace fovea {

/// Candidates from the best to the worst.
std::vector<std::size_t> ranked(std::span<const float> scores);

class RankingScores {
 public:
  /// The candidates of one question: their scores and which of them are right.
  void add(std::span<const float> scores, const std::vector<bool>& right);

  double map() const;  // 0 if there is no question
  double mrr() const;
  Dim counted() const { return counted_; }
  Dim left_out() const { return left_out_; }

 private:
  double precision_ = 0, reciprocal_ = 0;
  Dim counted_ = 0, left_out_ = 0;
};

}  // namespace fovea
