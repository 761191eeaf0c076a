#include "fovea/kernels/optimizer.h"

#include "fovea/base/threads.h"
#include "fovea/kernels/grain.h"
#include "fovea/kernels/optimizer_plain.h"
#include "fovea/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/kernels/optimizer.cc"
#include "hwy/foreach_target.h"
// After foreach_target:
#include "fovea/kernels/rows-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::kernels::HWY_NAMESPACE {

HWY_INLINE RowVec Number(float x) { return hn::Set(RowTag(), x); }

void SgdRange(const Sgd<float>& config, const float* gradient, float* v, float* w, Dim count) {
  const RowVec rate = Number(config.rate), momentum = Number(config.momentum);
  const RowVec decay = Number(config.weight_decay), clip = Number(config.gradient_scale);
  const bool nesterov = config.nesterov;
  ForEachVector(count, [=](auto lanes, Dim i) {
    const RowVec weight = lanes.Load(w + i);
    const RowVec g = hn::MulAdd(lanes.Load(gradient + i), clip, hn::Mul(decay, weight));
    RowVec step = g;
    if (v) {
      const RowVec speed = hn::MulAdd(momentum, lanes.Load(v + i), g);
      lanes.Store(speed, v + i);
      step = nesterov ? hn::MulAdd(momentum, speed, g) : speed;
    }
    lanes.Store(hn::NegMulAdd(rate, step, weight), w + i);
  });
}

void AdamRange(const Adam<float>& config, const float* gradient, float* m, float* v, float* w,
               Dim count) {
  const float decay_rate = config.rate * config.weight_decay;
  const RowVec decay = Number(config.decoupled ? 0 : config.weight_decay);
  const RowVec keep = Number(config.decoupled ? 1 - decay_rate : 1);
  const RowVec clip = Number(config.gradient_scale), eps = Number(config.eps);
  const RowVec beta1 = Number(config.beta1), rest1 = Number(1 - config.beta1);
  const RowVec beta2 = Number(config.beta2), rest2 = Number(1 - config.beta2);
  const RowVec rate = Number(config.rate / config.correction1);
  const RowVec unbias = Number(1 / config.correction2);
  ForEachVector(count, [=](auto lanes, Dim i) {
    const RowVec weight = lanes.Load(w + i);
    const RowVec g = hn::MulAdd(lanes.Load(gradient + i), clip, hn::Mul(decay, weight));
    const RowVec mean = hn::MulAdd(beta1, lanes.Load(m + i), hn::Mul(rest1, g));
    const RowVec square = hn::MulAdd(beta2, lanes.Load(v + i), hn::Mul(rest2, hn::Mul(g, g)));
    const RowVec spread = hn::Add(hn::Sqrt(hn::Mul(square, unbias)), eps);
    lanes.Store(mean, m + i);
    lanes.Store(square, v + i);
    lanes.Store(hn::MulSub(weight, keep, hn::Div(hn::Mul(rate, mean), spread)), w + i);
  });
}

void AdagradRange(const Adagrad<float>& config, const float* gradient, float* v, float* w,
                  Dim count) {
  const RowVec rate = Number(config.rate), eps = Number(config.eps);
  const RowVec decay = Number(config.weight_decay), clip = Number(config.gradient_scale);
  ForEachVector(count, [=](auto lanes, Dim i) {
    const RowVec weight = lanes.Load(w + i);
    const RowVec g = hn::MulAdd(lanes.Load(gradient + i), clip, hn::Mul(decay, weight));
    const RowVec square = hn::MulAdd(g, g, lanes.Load(v + i));
    lanes.Store(square, v + i);
    const RowVec step = hn::Div(hn::Mul(rate, g), hn::Add(hn::Sqrt(square), eps));
    lanes.Store(hn::Sub(weight, step), w + i);
  });
}

void AdadeltaRange(const Adadelta<float>& config, const float* gradient, float* v, float* u,
                   float* w, Dim count) {
  const RowVec rate = Number(config.rate), eps = Number(config.eps);
  const RowVec rho = Number(config.rho), rest = Number(1 - config.rho);
  const RowVec decay = Number(config.weight_decay), clip = Number(config.gradient_scale);
  ForEachVector(count, [=](auto lanes, Dim i) {
    const RowVec weight = lanes.Load(w + i), moved = lanes.Load(u + i);
    const RowVec g = hn::MulAdd(lanes.Load(gradient + i), clip, hn::Mul(decay, weight));
    const RowVec square = hn::MulAdd(rho, lanes.Load(v + i), hn::Mul(rest, hn::Mul(g, g)));
    const RowVec ratio = hn::Div(hn::Add(moved, eps), hn::Add(square, eps));
    const RowVec step = hn::Mul(g, hn::Sqrt(ratio));
    lanes.Store(square, v + i);
    lanes.Store(hn::MulAdd(rho, moved, hn::Mul(rest, hn::Mul(step, step))), u + i);
    lanes.Store(hn::NegMulAdd(rate, step, weight), w + i);
  });
}

void LionRange(const Lion<float>& config, const float* gradient, float* m, float* w, Dim count) {
  const RowVec rate = Number(config.rate), keep = Number(1 - config.rate * config.weight_decay);
  const RowVec clip = Number(config.gradient_scale), zero = Number(0);
  const RowVec beta1 = Number(config.beta1), rest1 = Number(1 - config.beta1);
  const RowVec beta2 = Number(config.beta2), rest2 = Number(1 - config.beta2);
  ForEachVector(count, [=](auto lanes, Dim i) {
    const RowVec g = hn::Mul(lanes.Load(gradient + i), clip), mean = lanes.Load(m + i);
    const RowVec c = hn::MulAdd(beta1, mean, hn::Mul(rest1, g));
    const RowVec step = hn::IfThenZeroElse(hn::Eq(c, zero), hn::CopySign(rate, c));
    lanes.Store(hn::MulAdd(beta2, mean, hn::Mul(rest2, g)), m + i);
    lanes.Store(hn::MulSub(lanes.Load(w + i), keep, step), w + i);
  });
}

}  // namespace fovea::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::kernels {

HWY_EXPORT(SgdRange);
HWY_EXPORT(AdamRange);
HWY_EXPORT(AdagradRange);
HWY_EXPORT(AdadeltaRange);
HWY_EXPORT(LionRange);

void sgd(const Sgd<float>& config, const float* gradient, float* v, float* w, Dim count) {
  const auto range = HWY_DYNAMIC_DISPATCH(SgdRange);
  parallel_for(count, kElementGrain, [&](Dim begin, Dim end) {
    range(config, gradient + begin, v ? v + begin : nullptr, w + begin, end - begin);
  });
}

void adam(const Adam<float>& config, const float* gradient, float* m, float* v, float* w,
          Dim count) {
  const auto range = HWY_DYNAMIC_DISPATCH(AdamRange);
  parallel_for(count, kElementGrain, [&](Dim begin, Dim end) {
    range(config, gradient + begin, m + begin, v + begin, w + begin, end - begin);
  });
}

void adagrad(const Adagrad<float>& config, const float* gradient, float* v, float* w, Dim count) {
  const auto range = HWY_DYNAMIC_DISPATCH(AdagradRange);
  parallel_for(count, kElementGrain, [&](Dim begin, Dim end) {
    range(config, gradient + begin, v + begin, w + begin, end - begin);
  });
}

void adadelta(const Adadelta<float>& config, const float* gradient, float* v, float* u, float* w,
              Dim count) {
  const auto range = HWY_DYNAMIC_DISPATCH(AdadeltaRange);
  parallel_for(count, kElementGrain, [&](Dim begin, Dim end) {
    range(config, gradient + begin, v + begin, u + begin, w + begin, end - begin);
  });
}

void lion(const Lion<float>& config, const float* gradient, float* m, float* w, Dim count) {
  const auto range = HWY_DYNAMIC_DISPATCH(LionRange);
  parallel_for(count, kElementGrain, [&](Dim begin, Dim end) {
    range(config, gradient + begin, m + begin, w + begin, end - begin);
  });
}

void sgd(const Sgd<double>& config, const double* gradient, double* v, double* w, Dim count) {
  plain::sgd(config, gradient, v, w, count);
}
void adam(const Adam<double>& config, const double* gradient, double* m, double* v, double* w,
          Dim count) {
  plain::adam(config, gradient, m, v, w, count);
}
void adagrad(const Adagrad<double>& config, const double* gradient, double* v, double* w,
             Dim count) {
  plain::adagrad(config, gradient, v, w, count);
}
void adadelta(const Adadelta<double>& config, const double* gradient, double* v, double* u,
              double* w, Dim count) {
  plain::adadelta(config, gradient, v, u, w, count);
}
void lion(const Lion<double>& config, const double* gradient, double* m, double* w, Dim count) {
  plain::lion(config, gradient, m, w, count);
}

}  // namespace fovea::kernels
#endif
