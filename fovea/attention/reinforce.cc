#include "fovea/attention/reinforce.h"

#include <numeric>
#include <vector>

#include "fovea/ops/elementwise.h"
#include "fovea/ops/reduce.h"

namespace fovea {

Var reinforce(const Var& log_probability, const Tensor& worth, const Segments& rows,
              double baseline) {
  FOVEA_CHECK(worth.size() == rows.rows() && log_probability.rows() == rows.rows(),
              "reinforce: ", log_probability.rows(), " draws and ", worth.size(), " rewards for ",
              rows.rows(), " rows");
  std::vector<double> advantage(static_cast<std::size_t>(rows.rows()));
  for (Dim s = 0; s < rows.count(); ++s) {
    double above = 0;
    for (Dim r = rows.end(s) - 1; r >= rows.begin(s); --r) {
      above += static_cast<double>(worth.data<float>()[r]) - baseline;
      advantage[static_cast<std::size_t>(r)] = -above;
    }
  }
  const Tensor constant =
      Tensor::from<double>({rows.rows(), 1}, advantage).to(log_probability.dtype());
  return sum(mul(log_probability, Var(constant)));
}

void follow(Tensor& baseline, const Tensor& worth) {
  if (worth.size() == 0) return;
  const std::span<const float> all = worth.span<float>();
  const double mean =
      std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(worth.size());
  float& b = baseline.mutable_data<float>()[0];
  b = static_cast<float>(0.9 * static_cast<double>(b) + 0.1 * mean);
}

}  // namespace fovea
