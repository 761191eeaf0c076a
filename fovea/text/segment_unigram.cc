#include <algorithm>
#include <cmath>
#include <vector>

#include "fovea/text/segment.h"
#include "fovea/text/split.h"

namespace fovea::text {
namespace {

/// SentencePiece's price of a character that is no piece, below the rarest piece.
constexpr float unknown_penalty = 10;

/// A piece that ends where we stand.
struct Step {
  std::size_t from;  // the character it begins with
  std::int32_t unit;
  double weight;  // logarithm of the weight of all segmentations that end with it
};

/// log(sum(exp(weights))). Every place has a step, if only that of an unknown character.
double log_sum(const Step* first, const Step* last) {
  double most = first->weight;
  for (const Step* s = first; s != last; ++s) most = std::max(most, s->weight);
  double sum = 0;
  for (const Step* s = first; s != last; ++s) sum += std::exp(s->weight - most);
  return most + std::log(sum);
}

}  // namespace

void segment_unigram(const PieceTable& pieces, std::string_view word, double alpha, Chance& chance,
                     Ids& units) {
  std::vector<std::size_t> at = {0};  // where characters begin, and the end
  for_each_character(word, [&](std::string_view c) { at.push_back(at.back() + c.size()); });
  const std::size_t n = at.size() - 1;

  // Forward: total[e] = log of the sum over segmentations of the first e characters of P^alpha.
  std::vector<double> total(n + 1, 0.0);
  std::vector<Step> steps;
  std::vector<std::size_t> first = {0, 0};  // steps that end at e: [first[e], first[e + 1])
  for (std::size_t e = 1; e <= n; ++e) {
    for (std::size_t s = e - std::min(e, std::max<std::size_t>(1, pieces.longest())); s < e; ++s) {
      const std::int32_t unit = pieces.find(word.substr(at[s], at[e] - at[s]));
      if (unit == no_unit && s + 1 < e) continue;
      const float score =
          unit == no_unit ? pieces.lowest_score() - unknown_penalty : pieces[unit].score;
      steps.push_back({s, unit, total[s] + alpha * static_cast<double>(score)});
    }
    total[e] = log_sum(&steps[first[e]], steps.data() + steps.size());
    first.push_back(steps.size());
  }

  // Backward: the last piece in proportion to its weight, then the one before it.
  Ids reversed;
  for (std::size_t e = n; e > 0;) {
    double left = chance.next();
    std::size_t chosen = first[e];
    while (chosen + 1 < first[e + 1]) {
      left -= std::exp(steps[chosen].weight - total[e]);
      if (left < 0) break;
      ++chosen;
    }
    reversed.push_back(steps[chosen].unit);
    e = steps[chosen].from;
  }
  for (auto unit = reversed.rbegin(); unit != reversed.rend(); ++unit) append_unit(units, *unit);
}

}  // namespace fovea::text
