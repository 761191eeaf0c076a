/// Where a row stands in its sequence, and what a model is told of it. Rotary positions are in
/// ops/rope.h.
///
/// Letters: N rows, D columns.
#pragma once

#include "fovea/nn/params.h"
#include "fovea/ops/embedding.h"
#include "fovea/tensor/segments.h"

namespace fovea {

/// 0, 1, 2, ... in each sequence: (N) i32.
Tensor positions_of(const Segments& segments);
/// Sequence i begins at offsets[i]: rows that follow those which a cache holds.
Tensor positions_of(const Segments& segments, std::span<const Dim> offsets);

/// PE(p, 2i) = sin(p / 10000^(2i/D)), PE(p, 2i+1) = cos(p / 10000^(2i/D)): (N, D), a constant.
/// Vaswani et al. 2017, 3.5.
Tensor sinusoidal(const Tensor& positions, Dim width, DType dtype = DType::f32);

/// A vector learned for each position: Gehring et al. 2017; BERT, GPT-2.
struct LearnedPositions {
  Var weight;  // (longest, D)

  LearnedPositions(Scope s, Dim longest, Dim width)
      : weight(s.param("weight", {longest, width}, init::normal(0.02))) {}

  Var operator()(const Tensor& positions) const { return embedding(weight, positions); }
};

}  // namespace fovea
