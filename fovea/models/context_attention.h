/// The rows of each sequence summed up as a learned context vector weighs them. Yang et al. 2016,
/// eqs. 5-7:
///
///   u_t = tanh(W h_t + b),  alpha_t = softmax over t of u_t' u,  s = sum_t alpha_t h_t
#pragma once

#include <string>

#include "fovea/nn/linear.h"
#include "fovea/nn/pass.h"
#include "fovea/tensor/segments.h"

namespace fovea {

struct ContextAttention {
  std::string layer;  // what a probe calls it
  Linear map;         // W, b; u_t = tanh of it
  Linear context;     // u

  ContextAttention(Scope s, Dim width, Dim hidden)
      : layer(s.name()),
        map(s / "map", width, hidden, {.activation = Activation::tanh}),
        context(s / "context", hidden, 1, {.bias = false}) {}

  /// (N, D) -> (S, D).
  Var operator()(const Var& h, const Segments& segments, const Pass& pass) const;
};

}  // namespace fovea
