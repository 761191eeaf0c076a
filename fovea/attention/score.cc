#include "fovea/attention/score.h"

#include <algorithm>
#include <cmath>

#include "fovea/ops/elementwise.h"
#include "fovea/ops/rows.h"

namespace fovea {

Var scaled_dot_score(const Var& q, const Var& k, const Pairs& pairs, Dim heads) {
  const auto columns = static_cast<double>(std::max<Dim>(1, q.cols() / std::max<Dim>(1, heads)));
  return scale(pair_dot(q, k, pairs, heads), 1 / std::sqrt(columns));
}

Var distance_bias(const Var& bias, const Pairs& pairs) {
  return gather_rows(transpose(bias), pairs_by_distance(pairs, bias.cols() / 2).key);
}

}  // namespace fovea
