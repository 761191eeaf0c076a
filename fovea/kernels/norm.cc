#include "fovea/kernels/norm.h"

#include "fovea/base/threads.h"
#include "fovea/kernels/grain.h"
#include "fovea/kernels/norm_blocks.h"
#include "fovea/kernels/norm_plain.h"
#include "fovea/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/kernels/norm.cc"
#include "hwy/foreach_target.h"
// After foreach_target:
#include "fovea/kernels/norm-inl.h"
#include "hwy/highway.h"

#if HWY_ONCE
namespace fovea::kernels {

HWY_EXPORT(NormRow);
HWY_EXPORT(NormBackwardRow);

void norm(const Norm<float>& config, Rows<const float> x, Rows<float> y, NormStats<float> stats) {
  const auto row = HWY_DYNAMIC_DISPATCH(NormRow);
  parallel_for(x.rows, row_grain(x.cols), [&](Dim begin, Dim end) {
    for (Dim r = begin; r < end; ++r) {
      row(config, x[r], y[r], x.cols, stats.mean ? stats.mean + r : nullptr,
          stats.rstd ? stats.rstd + r : nullptr);
    }
  });
}

void norm_backward(const Norm<float>& config, Rows<const float> x, NormStats<const float> stats,
                   Rows<const float> dy, Rows<float> dx, NormGradients<float> gradients) {
  const auto row = HWY_DYNAMIC_DISPATCH(NormBackwardRow);
  const bool layer = config.kind == NormKind::layer;
  sum_norm_gradients(x.rows, x.cols, gradients, [&](Dim r, NormGradients<float> sums) {
    row(config, x[r], layer ? stats.mean[r] : 0, stats.rstd[r], x.cols,
        {dy[r], nullptr, dx[r], sums});
  });
}

void norm(const Norm<double>& config, Rows<const double> x, Rows<double> y,
          NormStats<double> stats) {
  plain::norm(config, x, y, stats);
}
void norm_backward(const Norm<double>& config, Rows<const double> x, NormStats<const double> stats,
                   Rows<const double> dy, Rows<double> dx, NormGradients<double> gradients) {
  plain::norm_backward(config, x, stats, dy, dx, gradients);
}

}  // namespace fovea::kernels
#endif
