#include "fovea/metrics/ranking.h"

#include <algorithm>
#include <numeric>

#include "fovea/base/check.h"

namespace fovea {

std::vector<std::size_t> ranked(std::span<const float> scores) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  return order;
}

void RankingScores::add(std::span<const float> scores, const std::vector<bool>& right) {
  FOVEA_CHECK(scores.size() == right.size(), "ranking: ", scores.size(), " scores for ",
              right.size(), " candidates");
  double precision = 0, found = 0, first = 0, rank = 0;
  for (const std::size_t candidate : ranked(scores)) {
    ++rank;
    if (!right[candidate]) continue;
    ++found;
    precision += found / rank;
    if (found == 1) first = 1 / rank;
  }
  if (found == 0) {
    ++left_out_;
    return;
  }
  precision_ += precision / found;
  reciprocal_ += first;
  ++counted_;
}

double RankingScores::map() const {
  return counted_ == 0 ? 0 : precision_ / static_cast<double>(counted_);
}

double RankingScores::mrr() const {
  return counted_ == 0 ? 0 : reciprocal_ / static_cast<double>(counted_);
}

}  // namespace fovea
