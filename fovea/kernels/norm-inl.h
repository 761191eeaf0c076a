// Norm of one row, for kernels that do something else with the row in the same pass.
#if defined(FOVEA_KERNELS_NORM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FOVEA_KERNELS_NORM_INL_H_
#undef FOVEA_KERNELS_NORM_INL_H_
#else
#define FOVEA_KERNELS_NORM_INL_H_
#endif

#include <algorithm>
#include <cmath>

#include "fovea/kernels/norm.h"
#include "fovea/kernels/norm_blocks.h"
#include "fovea/kernels/rows-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {

inline void NormRow(const Norm<float>& config, const float* x, float* y, Dim cols, float* mean_out,
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

inline void NormBackwardRow(const Norm<float>& config, const float* x, float mean, float rstd,
                            Dim cols, const NormRowGradients& gradients) {
  const auto [dy, carried, dx, sums] = gradients;
  const RowTag f;
  const RowVec shift = hn::Set(f, mean), scale = hn::Set(f, rstd);
  const float* gamma = config.gamma;
  RowVec sum_g = hn::Zero(f), sum_gh = hn::Zero(f);
  ForEachVector(cols, [=, dy = dy, sums = sums, &sum_g, &sum_gh](auto lanes, Dim i) {
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
  ForEachVector(cols, [=, dy = dy, carried = carried, dx = dx](auto lanes, Dim i) {
    const RowVec d = lanes.Load(dy + i);
    const RowVec h = hn::Mul(hn::Sub(lanes.Load(x + i), shift), scale);
    const RowVec g = gamma ? hn::Mul(d, lanes.Load(gamma + i)) : d;
    const RowVec centred = hn::NegMulAdd(h, mean_gh, hn::Sub(g, mean_g));
    const RowVec y = hn::Mul(centred, scale);
    lanes.Store(carried ? hn::Add(y, lanes.Load(carried + i)) : y, dx + i);
  });
}

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
