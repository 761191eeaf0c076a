#include "fovea/kernels/adafactor.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/threads.h"
#include "fovea/kernels/adafactor_plain.h"
#include "fovea/kernels/grain.h"
#include "fovea/kernels/reduce.h"
#include "fovea/kernels/row_blocks.h"
#include "fovea/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/kernels/adafactor.cc"
#include "hwy/foreach_target.h"
// After foreach_target:
#include "fovea/kernels/rows-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {

/// The sum of g^2 + eps; each is added to its column too.
float SquaresRow(const float* gradient, float scale, float eps, float* columns, Dim count) {
  const RowVec s = hn::Set(RowTag(), scale), e = hn::Set(RowTag(), eps);
  return SumLanes(SumVectors(count, [=](auto lanes, Dim i) {
    const RowVec g = hn::Mul(lanes.Load(gradient + i), s);
    const RowVec square = hn::MulAdd(g, g, e);
    lanes.Store(hn::Add(lanes.Load(columns + i), square), columns + i);
    return square;
  }));
}

/// The sum of (g / sqrt(column))^2.
float ScaledSquaresRow(const float* gradient, const float* inverse, Dim count) {
  return SumLanes(SumVectors(count, [=](auto lanes, Dim i) {
    const RowVec u = hn::Mul(lanes.Load(gradient + i), lanes.Load(inverse + i));
    return hn::Mul(u, u);
  }));
}

/// w = keep w - step g inverse.
void AdafactorRow(const float* gradient, const float* inverse, float step, float keep, float* w,
                  Dim count) {
  const RowVec s = hn::Set(RowTag(), step), k = hn::Set(RowTag(), keep);
  ForEachVector(count, [=](auto lanes, Dim i) {
    const RowVec u = hn::Mul(lanes.Load(gradient + i), lanes.Load(inverse + i));
    lanes.Store(hn::NegMulAdd(s, u, hn::Mul(k, lanes.Load(w + i))), w + i);
  });
}

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::kernels {

HWY_EXPORT(SquaresRow);
HWY_EXPORT(ScaledSquaresRow);
HWY_EXPORT(AdafactorRow);

namespace {

/// Both moments from the gradient.
void update_moments(const Adafactor<float>& config, Rows<const float> gradient, float* rows,
                    float* columns) {
  const auto squares = HWY_DYNAMIC_DISPATCH(SquaresRow);
  const Dim R = gradient.rows, C = gradient.cols;
  const Scratch<float> sums(C);
  const auto mix = [&config](float moment, float sum, Dim count) {
    return config.beta2 * moment + (1 - config.beta2) * (sum / static_cast<float>(count));
  };
  sum_over_row_blocks(R, C, C, sums.data(), [&](Dim begin, Dim end, float* partial) {
    for (Dim r = begin; r < end; ++r) {
      const float sum = squares(gradient[r], config.gradient_scale, config.eps, partial, C);
      rows[r] = mix(rows[r], sum, C);
    }
  });
  for (Dim c = 0; c < C; ++c) columns[c] = mix(columns[c], sums[c], R);
}

}  // namespace

void adafactor(const Adafactor<float>& config, Rows<const float> gradient, float* rows,
               float* columns, Rows<float> w) {
  const Dim R = gradient.rows, C = gradient.cols;
  if (R == 0 || C == 0) return;
  update_moments(config, gradient, rows, columns);

  // u_rc = g_rc by_row_r by_column_c: two factors, as each may be tiny.
  const Scratch<float> by_row(R), by_column(C), squares(R);
  const double mean_row = sum(rows, R) / static_cast<double>(R);
  for (Dim r = 0; r < R; ++r) {
    by_row[r] = config.gradient_scale * static_cast<float>(std::sqrt(mean_row / rows[r]));
  }
  for (Dim c = 0; c < C; ++c) by_column[c] = 1 / std::sqrt(columns[c]);

  const auto scaled = HWY_DYNAMIC_DISPATCH(ScaledSquaresRow);
  parallel_for(R, row_grain(C), [&](Dim begin, Dim end) {
    for (Dim r = begin; r < end; ++r) {
      squares[r] = scaled(gradient[r], by_column.data(), C) * by_row[r] * by_row[r];
    }
  });
  const double rms = std::sqrt(sum(squares.data(), R) / static_cast<double>(R * C));
  const float step = config.rate / std::max(1.0F, static_cast<float>(rms) / config.clip);

  const auto update = HWY_DYNAMIC_DISPATCH(AdafactorRow);
  const float keep = 1 - config.rate * config.weight_decay;
  parallel_for(R, row_grain(C), [&](Dim begin, Dim end) {
    for (Dim r = begin; r < end; ++r) {
      update(gradient[r], by_column.data(), step * by_row[r], keep, w[r], C);
    }
  });
}

void adafactor(const Adafactor<double>& config, Rows<const double> gradient, double* rows,
               double* columns, Rows<double> w) {
  plain::adafactor(config, gradient, rows, columns, w);
}

}  // namespace fovea::kernels
#endif
