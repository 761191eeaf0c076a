#include "fovea/decode/rerank.h"

#include "fovea/decode/score.h"

namespace fovea {

void rerank(std::vector<Hypothesis>& hypotheses, std::span<const double> second, double weight,
            double length_penalty) {
  FOVEA_CHECK(hypotheses.size() == second.size(), "rerank: expected a second score for each of ",
              hypotheses.size(), " hypotheses, found ", second.size());
  FOVEA_CHECK(weight >= 0 && weight <= 1, "rerank: expected a weight from 0 to 1, found ", weight);
  for (std::size_t i = 0; i < second.size(); ++i) {
    Hypothesis& hypothesis = hypotheses[i];
    hypothesis.score = (1 - weight) * hypothesis.score +
                       weight * normalised(second[i], hypothesis.length(), length_penalty);
  }
  rank(hypotheses);
}

}  // namespace fovea
