#include "fovea/kernels/add_norm.h"

#include <algorithm>

#include "fovea/base/threads.h"
#include "fovea/kernels/add_norm_plain.h"
#include "fovea/kernels/grain.h"
#include "fovea/kernels/norm_blocks.h"
#include "fovea/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/kernels/add_norm.cc"
#include "hwy/foreach_target.h"
// After foreach_target:
#include "fovea/kernels/dropout-inl.h"
#include "fovea/kernels/norm-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {

void AddNormRow(const AddNorm<float>& config, Dim first, const float* x, const float* residual,
                float* z, float* y, Dim cols, float* mean, float* rstd) {
  if (config.dropout.probability == 0) {
    MapRows(x, residual, z, cols, [](RowVec a, RowVec b) { return hn::Add(a, b); });
  } else {
    DropoutMap(config.dropout, first, x, z, cols, [residual](auto lanes, Dim i, RowVec kept) {
      return hn::Add(kept, lanes.Load(residual + i));
    });
  }
  NormRow(config.norm, z, y, cols, mean, rstd);
}

void AddNormBackwardRow(const AddNorm<float>& config, Dim first, const float* z, float mean,
                        float rstd, float* dx, Dim cols, const NormRowGradients& gradients) {
  NormBackwardRow(config.norm, z, mean, rstd, cols, gradients);
  const float* dresidual = gradients.dx;
  if (config.dropout.probability != 0) {
    DropoutMap(config.dropout, first, dresidual, dx, cols,
               [](auto, Dim, RowVec kept) { return kept; });
  } else if (dx != dresidual) {
    std::copy_n(dresidual, cols, dx);
  }
}

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::kernels {

HWY_EXPORT(AddNormRow);
HWY_EXPORT(AddNormBackwardRow);

void add_norm(const AddNorm<float>& config, Rows<const float> x, Rows<const float> residual,
              Rows<float> z, Rows<float> y, NormStats<float> stats) {
  const auto row = HWY_DYNAMIC_DISPATCH(AddNormRow);
  parallel_for(x.rows, row_grain(x.cols), [&](Dim begin, Dim end) {
    for (Dim r = begin; r < end; ++r) {
      row(config, r * x.cols, x[r], residual[r], z[r], y[r], x.cols,
          stats.mean ? stats.mean + r : nullptr, stats.rstd ? stats.rstd + r : nullptr);
    }
  });
}

void add_norm_backward(const AddNorm<float>& config, Rows<const float> z,
                       NormStats<const float> stats, Rows<const float> dy, Rows<const float> dz,
                       const AddNormGradients<float>& gradients) {
  const auto row = HWY_DYNAMIC_DISPATCH(AddNormBackwardRow);
  const bool layer = config.norm.kind == NormKind::layer;
  sum_norm_gradients(z.rows, z.cols, gradients.weights, [&](Dim r, NormGradients<float> sums) {
    row(config, r * z.cols, z[r], layer ? stats.mean[r] : 0, stats.rstd[r], gradients.dx[r], z.cols,
        {dy[r], dz.data ? dz[r] : nullptr, gradients.dresidual[r], sums});
  });
}

void add_norm(const AddNorm<double>& config, Rows<const double> x, Rows<const double> residual,
              Rows<double> z, Rows<double> y, NormStats<double> stats) {
  plain::add_norm(config, x, residual, z, y, stats);
}
void add_norm_backward(const AddNorm<double>& config, Rows<const double> z,
                       NormStats<const double> stats, Rows<const double> dy, Rows<const double> dz,
                       const AddNormGradients<double>& gradients) {
  plain::add_norm_backward(config, z, stats, dy, dz, gradients);
}

}  // namespace fovea::kernels
#endif
