/// One step of an optimizer for one parameter, in one pass over its numbers.
///
/// w is the weight, g the gradient times gradient_scale (which clipping sets below 1). States are
/// zero before the first step. No two arguments may be the same memory.
#pragma once

#include "fovea/base/view.h"

namespace fovea::kernels {

/// g += weight_decay w;  v = momentum v + g;  w -= rate v
/// (nesterov: w -= rate (g + momentum v)). Sutskever et al. 2013. Without momentum v may be null.
template <class T>
struct Sgd {
  T rate = T(0.1);
  T momentum = 0;
  T weight_decay = 0;
  bool nesterov = false;
  T gradient_scale = 1;
};
void sgd(const Sgd<float>& config, const float* gradient, float* v, float* w, Dim count);
void sgd(const Sgd<double>& config, const double* gradient, double* v, double* w, Dim count);

/// m = beta1 m + (1 - beta1) g;  v = beta2 v + (1 - beta2) g^2
/// w -= rate (m / correction1) / (sqrt(v / correction2) + eps). Kingma and Ba 2015.
/// Weight decay is added to the gradient or, decoupled, shrinks w by rate weight_decay w first
/// (Loshchilov and Hutter 2019).
template <class T>
struct Adam {
  T rate = T(1e-3);
  T beta1 = T(0.9);
  T beta2 = T(0.999);
  T eps = T(1e-8);
  T weight_decay = 0;
  bool decoupled = true;
  T correction1 = 1;  // 1 - beta1^t at step t = 1, 2, ...
  T correction2 = 1;  // 1 - beta2^t
  T gradient_scale = 1;
};
void adam(const Adam<float>& config, const float* gradient, float* m, float* v, float* w,
          Dim count);
void adam(const Adam<double>& config, const double* gradient, double* m, double* v, double* w,
          Dim count);

/// g += weight_decay w;  v += g^2;  w -= rate g / (sqrt(v) + eps). Duchi et al. 2011.
template <class T>
struct Adagrad {
  T rate = T(0.01);
  T eps = T(1e-10);
  T weight_decay = 0;
  T gradient_scale = 1;
};
void adagrad(const Adagrad<float>& config, const float* gradient, float* v, float* w, Dim count);
void adagrad(const Adagrad<double>& config, const double* gradient, double* v, double* w,
             Dim count);

/// g += weight_decay w;  v = rho v + (1 - rho) g^2;  d = g sqrt(u + eps) / sqrt(v + eps);
/// u = rho u + (1 - rho) d^2;  w -= rate d. Zeiler 2012.
template <class T>
struct Adadelta {
  T rate = 1;
  T rho = T(0.95);
  T eps = T(1e-6);
  T weight_decay = 0;
  T gradient_scale = 1;
};
void adadelta(const Adadelta<float>& config, const float* gradient, float* v, float* u, float* w,
              Dim count);
void adadelta(const Adadelta<double>& config, const double* gradient, double* v, double* u,
              double* w, Dim count);

/// w -= rate (sign(beta1 m + (1 - beta1) g) + weight_decay w);  m = beta2 m + (1 - beta2) g.
/// Chen et al. 2023.
template <class T>
struct Lion {
  T rate = T(1e-4);
  T beta1 = T(0.9);
  T beta2 = T(0.99);
  T weight_decay = 0;
  T gradient_scale = 1;
};
void lion(const Lion<float>& config, const float* gradient, float* m, float* w, Dim count);
void lion(const Lion<double>& config, const double* gradient, double* m, double* w, Dim count);

}  // namespace fovea::kernels
