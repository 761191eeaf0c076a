/// Rotary positions: Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position
/// Embedding". The product of a query and a key so turned depends on how far they stand apart.
#pragma once

#include "fovea/autograd/apply.h"

namespace fovea {

/// Which two columns of a head are a pair.
enum class RopeLayout {
  halves,       // i and i + D/2: Llama, GPT-NeoX
  interleaved,  // 2i and 2i + 1: the paper, GPT-J
};

struct Rope {
  Dim width = 0;  // D, the columns of a head
  Dim heads = 0;  // the first so many are turned, all alike; the rest stays (values after queries
                  // and keys); 0: all
  double base = 10000;
  RopeLayout layout = RopeLayout::halves;
};

namespace op {

struct Rotate {
  static constexpr std::string_view name = "rope";
  Rope config;
  Tensor positions;  // (N) i32
  Tensor forward(const Tensor& x) const;
  std::array<Tensor, 1> backward(const Tensor& dy) const;  // the turn back
};

}  // namespace op

/// Pair i of each head of row r turns by the angle positions[r] base^(-2i/D).
inline Var rope(const Var& x, const Tensor& positions, const Rope& config) {
  return apply(op::Rotate{config, positions}, x);
}

}  // namespace fovea
