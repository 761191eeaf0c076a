/// Normalisation as layers. The formulas and their sources are in ops/norm.h and ops/batch_norm.h.
#pragma once

#include "fovea/nn/params.h"
#include "fovea/nn/pass.h"
#include "fovea/ops/batch_norm.h"
#include "fovea/ops/norm.h"

namespace fovea {

struct LayerNorm {
  Var weight;  // (D)
  Var bias;    // (D)
  double eps;

  LayerNorm(Scope s, Dim width, double eps = 1e-5)
      : weight(s.param("weight", {width}, init::ones())),
        bias(s.param("bias", {width}, init::zeros())),
        eps(eps) {}

  Var operator()(const Var& x) const { return layer_norm(x, weight, bias, eps); }
};

struct RmsNorm {
  Var weight;  // (D)
  double eps;

  RmsNorm(Scope s, Dim width, double eps = 1e-6)
      : weight(s.param("weight", {width}, init::ones())), eps(eps) {}

  Var operator()(const Var& x) const { return rms_norm(x, weight, eps); }
};

/// Either of the two, as a model's settings say.
struct Norm {
  NormKind kind;
  Var weight;  // (D)
  Var bias;    // (D); undefined with rms
  double eps;

  Norm(Scope s, Dim width, NormKind kind = NormKind::layer, double eps = 1e-5)
      : kind(kind),
        weight(s.param("weight", {width}, init::ones())),
        bias(kind == NormKind::layer ? s.param("bias", {width}, init::zeros()) : Var()),
        eps(eps) {}

  Var operator()(const Var& x) const {
    return kind == NormKind::layer ? layer_norm(x, weight, bias, eps) : rms_norm(x, weight, eps);
  }
};

struct BatchNormConfig {
  double momentum = 0.1;
  double eps = 1e-5;
};

/// A pass with random numbers is training: it normalises by the batch, and the running statistics
/// (buffers among the parameters) take the batch in. Any other pass only reads them.
struct BatchNorm {
  Var weight;        // (D)
  Var bias;          // (D)
  Var running_mean;  // (D)
  Var running_var;   // (D)
  BatchNormConfig config;

  BatchNorm(Scope s, Dim width, BatchNormConfig config = {})
      : weight(s.param("weight", {width}, init::ones())),
        bias(s.param("bias", {width}, init::zeros())),
        running_mean(s.buffer("running_mean", {width}, init::zeros())),
        running_var(s.buffer("running_var", {width}, init::ones())),
        config(config) {}

  Var operator()(const Var& x, const Pass& pass) const {
    return batch_norm(
        x, weight, bias, {running_mean.value(), running_var.value()},
        {.training = pass.rng != nullptr, .momentum = config.momentum, .eps = config.eps});
  }
};

}  // namespace fovea
