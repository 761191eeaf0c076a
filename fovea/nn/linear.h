/// A linear layer, with the activation that follows it in the same pass.
#pragma once

#include "fovea/nn/params.h"
#include "fovea/ops/dropout.h"
#include "fovea/ops/linear.h"

namespace fovea {

struct LinearConfig {
  Activation activation = Activation::none;
  bool bias = true;
  Init init = init::xavier();
};

/// y = f(x W' + b): (N, in) -> (N, out).
struct Linear {
  Var weight;  // (out, in)
  Var bias;    // (out), or undefined
  Activation activation;
  PackedWeight packed;

  Linear(Scope s, Dim in, Dim out, const LinearConfig& config = {})
      : Linear(s, s.weight("weight", {out, in}, config.init), config) {}

  /// With dropout of y if a probability and random numbers are given.
  Var operator()(const Var& x, double dropout = 0, Rng* rng = nullptr) const {
    return linear(x, weight, bias,
                  {.activation = activation,
                   .dropout = op::drawn_dropout("linear", dropout, rng),
                   .packed = *packed ? &**packed : nullptr});
  }

 private:
  Linear(Scope s, const Weight& w, const LinearConfig& config)
      : weight(w.plain),
        bias(config.bias ? s.param("bias", {w.plain.rows()}, init::zeros()) : Var()),
        activation(config.activation),
        packed(w.packed) {}
};

}  // namespace fovea
