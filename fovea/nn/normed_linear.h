/// A linear layer whose weight is a direction and a length for each output.
#pragma once

#include "fovea/nn/params.h"

namespace fovea {

/// y = x W' + b with W = g v / |v|, row by row: (N, in) -> (N, out). Salimans and Kingma 2016,
/// "Weight normalization".
struct NormedLinear {
  Var direction;  // (out, in): v
  Var length;     // (out): g
  Var bias;       // (out)
  PackedWeight packed;

  /// Begins with v drawn from N(0, spread / in) and g = |v|.
  NormedLinear(Scope s, Dim in, Dim out, double spread = 1);
  Var operator()(const Var& x) const;
};

}  // namespace fovea
