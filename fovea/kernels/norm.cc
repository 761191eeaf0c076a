#include "fovea/kernels/norm.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/threads.h"
#include "fovea/kernels/grain.h"
#include "fovea/kernels/norm_plain.h"
#include "fovea/kernels/row_blocks.h"
#include "fovea/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/kernels/norm.cc"
#include "hwy/foreach_target.h"
// After foreach_target:
#include "fovea/kernels/rows-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {

void NormRow(const Norm<float>& config, const float* x, float* y, Dim cols, float* mean_out,
             float* rstd_out) {
  const RowTag f;
  const auto count = static_cast<float>(std::max<Dim>(cols, 1));
  float mean = 0;
  if (config.kind == NormKind::layer) {
    mean = SumLanes(SumVectors(cols, [x](auto lanes, Dim i) { return lanes.Load(x + i); })) / count;
    if (mean_out) *mean_out = mean;
  }
  const RowVec shift = hn::Set(f, mean);
  const RowVec squares = SumVectors(cols, [x, shift](auto lanes, Dim i) {
    const RowVec d = hn::Sub(lanes.Load(x + i), shift);
    return hn::Mul(d, d);
  });
  const float rstd = 1 / std::sqrt(SumLanes(squares) / count + config.eps);
  if (rstd_out) *rstd_out = rstd;

  const RowVec scale = hn::Set(f, rstd);
  const float *gamma = config.gamma, *beta = config.beta;
  ForEachVector(cols, [=](auto lanes, Dim i) {
    RowVec h = hn::Mul(hn::Sub(lanes.Load(x + i), shift), scale);
    if (gamma) h = hn::Mul(h, lanes.Load(gamma + i));
    if (beta) h = hn::Add(h, lanes.Load(beta + i));
    lanes.Store(h, y + i);
  });
}

/// Adds this row's part to dgamma and dbeta, where they are not null.
void NormBackwardRow(const Norm<float>& config, const float* x, float mean, float rstd,
                     const float* dy, float* dx, Dim cols, NormGradients<float> sums) {
  const RowTag f;
  const RowVec shift = hn::Set(f, mean), scale = hn::Set(f, rstd);
  const float* gamma = config.gamma;
  RowVec sum_g = hn::Zero(f), sum_gh = hn::Zero(f);
  ForEachVector(cols, [=, &sum_g, &sum_gh](auto lanes, Dim i) {
    const RowVec d = lanes.Load(dy + i);
    const RowVec h = hn::Mul(hn::Sub(lanes.Load(x + i), shift), scale);
    const RowVec g = gamma ? hn::Mul(d, lanes.Load(gamma + i)) : d;
    sum_g = hn::Add(sum_g, g);
    sum_gh = hn::MulAdd(g, h, sum_gh);
    if (sums.dgamma) {
      lanes.Store(hn::MulAdd(d, h, lanes.Load(sums.dgamma + i)), sums.dgamma + i);
    }
    if (sums.dbeta) lanes.Store(hn::Add(d, lanes.Load(sums.dbeta + i)), sums.dbeta + i);
  });
  const auto count = static_cast<float>(std::max<Dim>(cols, 1));
  const bool layer = config.kind == NormKind::layer;
  const RowVec mean_g = hn::Set(f, layer ? SumLanes(sum_g) / count : 0);
  const RowVec mean_gh = hn::Set(f, SumLanes(sum_gh) / count);
  ForEachVector(cols, [=](auto lanes, Dim i) {
    const RowVec d = lanes.Load(dy + i);
    const RowVec h = hn::Mul(hn::Sub(lanes.Load(x + i), shift), scale);
    const RowVec g = gamma ? hn::Mul(d, lanes.Load(gamma + i)) : d;
    const RowVec centred = hn::NegMulAdd(h, mean_gh, hn::Sub(g, mean_g));
    lanes.Store(hn::Mul(centred, scale), dx + i);
  });
}

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

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
  const Dim cols = x.cols;
  // dgamma and dbeta side by side.
  const Scratch<float> totals(2 * cols);
  sum_over_row_blocks(x.rows, cols, 2 * cols, totals.data(), [&](Dim begin, Dim end, float* sums) {
    const NormGradients<float> both{gradients.dgamma ? sums : nullptr,
                                    gradients.dbeta ? sums + cols : nullptr};
    for (Dim r = begin; r < end; ++r) {
      row(config, x[r], layer ? stats.mean[r] : 0, stats.rstd[r], dy[r], dx[r], cols, both);
    }
  });
  if (gradients.dgamma) std::copy_n(totals.data(), cols, gradients.dgamma);
  if (gradients.dbeta) std::copy_n(totals.data() + cols, cols, gradients.dbeta);
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
