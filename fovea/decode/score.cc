#include "fovea/decode/score.h"

#include <algorithm>
#include <cmath>

namespace fovea {

double normalised(double log_probability, Dim length, double alpha) {
  return log_probability / std::pow(static_cast<double>(5 + length) / 6, alpha);
}

void Coverage::add(std::span<const Tensor> attention) {
  for (std::size_t h = 0; h < attention.size(); ++h) {
    const std::span<const float> weights = attention[h].span<float>();
    sums_[h].resize(weights.size());
    for (std::size_t i = 0; i < weights.size(); ++i) sums_[h][i] += weights[i];
  }
}

void Coverage::select(std::span<const Dim> from) {
  std::vector<std::vector<double>> selected;
  for (const Dim i : from) selected.push_back(sums_[static_cast<std::size_t>(i)]);
  sums_ = std::move(selected);
}

void Coverage::join(Coverage other) {
  std::move(other.sums_.begin(), other.sums_.end(), std::back_inserter(sums_));
}

double Coverage::penalty(Dim i, double beta) const {
  if (beta == 0) return 0;
  double sum = 0;
  for (const double seen : sums_[static_cast<std::size_t>(i)]) {
    sum += std::log(std::clamp(seen, 1e-6, 1.0));
  }
  return beta * sum;
}

}  // namespace fovea
