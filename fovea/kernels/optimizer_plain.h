/// Optimizer steps as the formulas say them: the twin that the vector code is tested against, and
/// the path of double precision.
#pragma once

#include <cmath>

#include "fovea/kernels/optimizer.h"

namespace fovea::kernels::plain {

template <class T>
void sgd(const Sgd<T>& config, const T* gradient, T* v, T* w, Dim count) {
  for (Dim i = 0; i < count; ++i) {
    const T g = gradient[i] * config.gradient_scale + config.weight_decay * w[i];
    T step = g;
    if (v) {
      v[i] = config.momentum * v[i] + g;
      step = config.nesterov ? g + config.momentum * v[i] : v[i];
    }
    w[i] -= config.rate * step;
  }
}

template <class T>
void adam(const Adam<T>& config, const T* gradient, T* m, T* v, T* w, Dim count) {
  const T decay = config.decoupled ? T(0) : config.weight_decay;
  const T shrink = config.decoupled ? config.rate * config.weight_decay : T(0);
  for (Dim i = 0; i < count; ++i) {
    const T g = gradient[i] * config.gradient_scale + decay * w[i];
    m[i] = config.beta1 * m[i] + (1 - config.beta1) * g;
    v[i] = config.beta2 * v[i] + (1 - config.beta2) * g * g;
    const T spread = std::sqrt(v[i] / config.correction2) + config.eps;
    w[i] -= shrink * w[i] + config.rate * (m[i] / config.correction1) / spread;
  }
}

template <class T>
void adagrad(const Adagrad<T>& config, const T* gradient, T* v, T* w, Dim count) {
  for (Dim i = 0; i < count; ++i) {
    const T g = gradient[i] * config.gradient_scale + config.weight_decay * w[i];
    v[i] += g * g;
    w[i] -= config.rate * g / (std::sqrt(v[i]) + config.eps);
  }
}

template <class T>
void adadelta(const Adadelta<T>& config, const T* gradient, T* v, T* u, T* w, Dim count) {
  for (Dim i = 0; i < count; ++i) {
    const T g = gradient[i] * config.gradient_scale + config.weight_decay * w[i];
    v[i] = config.rho * v[i] + (1 - config.rho) * g * g;
    const T d = g * std::sqrt(u[i] + config.eps) / std::sqrt(v[i] + config.eps);
    u[i] = config.rho * u[i] + (1 - config.rho) * d * d;
    w[i] -= config.rate * d;
  }
}

template <class T>
void lion(const Lion<T>& config, const T* gradient, T* m, T* w, Dim count) {
  for (Dim i = 0; i < count; ++i) {
    const T g = gradient[i] * config.gradient_scale;
    const T c = config.beta1 * m[i] + (1 - config.beta1) * g;
    const T sign = static_cast<T>((c > 0) - (c < 0));
    w[i] -= config.rate * (sign + config.weight_decay * w[i]);
    m[i] = config.beta2 * m[i] + (1 - config.beta2) * g;
  }
}

}  // namespace fovea::kernels::plain
