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

/// Which columns are sines and which cosines.
enum class SinusoidLayout {
  interleaved,  // sine, cosine, sine, cosine ...: Vaswani et al. 2017, 3.5
  halves,       // all sines, then all cosines: their published code, and Marian
};

/// Column c of the position p is sin(p f_c + o_c), with o_c = 0, or pi/2 for a cosine, and
/// frequencies f of 10000^(-2i/D) for the sine and the cosine number i.
struct Sinusoid {
  double frequency = 0;
  bool cosine = false;
};
Sinusoid sinusoid(Dim column, Dim width, SinusoidLayout layout);

/// (N, D), a constant.
Tensor sinusoidal(const Tensor& positions, Dim width, DType dtype = DType::f32,
                  SinusoidLayout layout = SinusoidLayout::interleaved);

/// A vector learned for each position: Gehring et al. 2017; BERT, GPT-2.
struct LearnedPositions {
  Var weight;  // (longest, D)

  LearnedPositions(Scope s, Dim longest, Dim width)
      : weight(s.param("weight", {longest, width}, init::normal(0.02))) {}

  Var operator()(const Tensor& positions) const { return embedding(weight, positions); }
};

}  // namespace fovea
