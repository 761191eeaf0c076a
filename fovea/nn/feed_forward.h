/// The feed-forward half of a Transformer's layer.
#pragma once

#include <optional>

#include "fovea/nn/linear.h"
#include "fovea/nn/pass.h"
#include "fovea/ops/dropout.h"
#include "fovea/ops/elementwise.h"

namespace fovea {

struct FeedForwardConfig {
  Activation activation = Activation::relu;
  /// With a gate, silu gives SwiGLU and gelu gives GEGLU: Shazeer 2020, "GLU variants improve
  /// Transformer", eq. 6.
  bool gated = false;
  bool bias = true;
  double dropout = 0;  // of the hidden units
};

/// y = W2 dropout(f(W1 x)); gated: y = W2 dropout(f(Wg x) * W1 x). Vaswani et al. 2017, eq. 2.
struct FeedForward {
  Linear linear1;              // (hidden, width)
  std::optional<Linear> gate;  // (hidden, width)
  Linear linear2;              // (width, hidden)
  double drop;

  FeedForward(Scope s, Dim width, Dim hidden, const FeedForwardConfig& config = {})
      : linear1(s / "linear1", width, hidden,
                {.activation = config.gated ? Activation::none : config.activation,
                 .bias = config.bias}),
        linear2(s / "linear2", hidden, width, {.bias = config.bias}),
        drop(config.dropout) {
    if (config.gated) {
      gate.emplace(s / "gate", width, hidden,
                   LinearConfig{.activation = config.activation, .bias = config.bias});
    }
  }

  Var operator()(const Var& x, const Pass& pass) const {
    if (!gate) return linear2(linear1(x, drop, pass.rng));
    const Var h = mul((*gate)(x), linear1(x));  // (N, hidden)
    return linear2(dropout(h, drop, pass.rng));
  }
};

}  // namespace fovea
