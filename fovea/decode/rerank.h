/// Hypotheses put in another order by a second opinion, such as that of a model that reads from
/// right to left (Liu et al. 2016, "Agreement on target-bidirectional neural machine translation").
#pragma once

#include <span>
#include <vector>

#include "fovea/decode/search.h"

namespace fovea {

/// score <- (1 - weight) score + weight log q(y) / lp(y), finished ones before the others, then the
/// best first, equal ones as they stood. `second[i]` is log q of hypotheses[i]: the sum over all
/// its tokens, the end included; lp is that of score.h, so that both are per unit of the same
/// length.
void rerank(std::vector<Hypothesis>& hypotheses, std::span<const double> second, double weight,
            double length_penalty);

}  // namespace fovea
