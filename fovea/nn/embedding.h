/// A vector for each id.
#pragma once

#include <cmath>

#include "fovea/nn/params.h"
#include "fovea/ops/embedding.h"

namespace fovea {

struct EmbeddingConfig {
  /// Times sqrt(D), so that vectors drawn with variance 1/D meet positions of size 1: Vaswani et
  /// al. 2017, 3.4.
  bool scaled = false;
  Init init = {};  // by default normal with variance 1/D
};

/// y_r = table[ids[r]]: ids (N) i32 -> (N, D). The same table may be the last layer's weight.
struct Embedding {
  Var weight;  // (V, D)
  double factor;

  Embedding(Scope s, Dim count, Dim width, const EmbeddingConfig& config = {})
      : weight(s.param("weight", {count, width},
                       config.init ? config.init : init::normal(1 / root(width)))),
        factor(config.scaled ? root(width) : 1) {}

  Var operator()(const Tensor& ids) const { return embedding(weight, ids, factor); }

 private:
  static double root(Dim width) { return std::sqrt(static_cast<double>(width)); }
};

}  // namespace fovea
