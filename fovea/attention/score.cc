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
  const Dim reach = bias.cols() / 2;
  Tensor column = Tensor::empty({pairs.count()}, DType::i32);
  for (Dim p = 0; p < pairs.count(); ++p) {
    const Dim distance = pairs.distance.data<std::int32_t>()[p];
    column.mutable_data<std::int32_t>()[p] =
        static_cast<std::int32_t>(std::clamp(distance, -reach, reach) + reach);
  }
  return gather_rows(transpose(bias), column);
}

}  // namespace fovea
