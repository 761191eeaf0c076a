/// Multi-head attention: Vaswani et al. 2017, 3.2.2, on the fused kernel.
///
///   head_h = softmax(q_h k_h' / sqrt(D)) v_h,   y = W_o [head_1 ... head_H] + b_o
///
/// Letters: N rows of a batch, M rows of a memory, W width, H heads, G heads of keys, D = W / H.
#pragma once

#include <optional>

#include "fovea/nn/linear.h"
#include "fovea/nn/pass.h"
#include "fovea/ops/attend.h"
#include "fovea/ops/pairs.h"
#include "fovea/ops/rope.h"

namespace fovea {

/// What a head is told of the distance between query and key.
enum class DistanceBias {
  none,
  learned,   // a number for each head and distance, clipped: Raffel et al. 2020 (T5), without
             // buckets
  alibi,     // -slope_h |distance|: Press et al. 2022
  relation,  // a vector for each distance, clipped, that joins keys and values: Shaw et al. 2018
};

/// Queries and keys turned by their places: Su et al. 2021.
struct Rotation {
  double base = 10000;
  RopeLayout layout = RopeLayout::halves;
};

struct AttentionConfig {
  Dim width = 512;
  Dim heads = 8;
  Dim kv_heads = 0;      // fewer than heads: shared among them (Ainslie et al. 2023); 0: as many
  Dim memory_width = 0;  // of the rows that a cross attention looks at; 0: width
  double dropout = 0;    // of the weights
  bool bias = true;      // in the linear maps
  bool causal = false;
  Dim window = -1;  // if not negative, keys at most so far away
  DistanceBias distance = DistanceBias::none;
  Dim reach = 32;  // distances beyond it count as it, if they are learned
  std::optional<Rotation> rope = {};
};

/// Slopes 2^(-8/H), 2^(-16/H), ... as a table of biases (H, 2R+1) for distances up to R.
Tensor alibi_bias(Dim heads, Dim reach, DType dtype = DType::f32);

/// A sequence attends to itself.
struct SelfAttention {
  std::string name;
  AttentionConfig config;
  Linear qkv;            // (W + 2 G D, W): queries, keys, values in one product
  Linear out;            // (W, W)
  ByDistance distances;  // what is learned of them

  SelfAttention(Scope s, const AttentionConfig& config);
  Var operator()(const Var& x, const Segments& segments, const Pass& pass) const;

 private:
  /// What to tell of distances in sequences of at most so many keys.
  ByDistance told(Dim longest, DType dtype) const;
  Var cached(const Var& qkv, const Segments& segments, const AttendConfig& attend,
             const Pass& pass) const;
};

/// Rows that other sequences look at: the encoder's, say. Sequence s looks at segment s.
struct Memory {
  Var rows;  // (M, memory width)
  Segments segments;
  /// (sequences) i64. If given, row i of sequence s sees its memory only up to row places[s] + i:
  /// a fixed lag behind a source that is still arriving (Ma et al. 2019, wait-k).
  Tensor places = {};
};

/// A sequence attends to its memory.
struct CrossAttention {
  std::string name;
  AttentionConfig config;
  Linear query;   // (W, W)
  Linear memory;  // (2 G D, memory width): keys and values in one product
  Linear out;     // (W, W)

  CrossAttention(Scope s, const AttentionConfig& config);
  Var operator()(const Var& x, const Segments& segments, const Memory& seen,
                 const Pass& pass) const;

  /// The weights of one head on ordinary ops, one a pair, as something that can be trained: (P, 1).
  Var weights(const Var& x, const Var& seen_rows, const Pairs& pairs, Dim head) const;
};

}  // namespace fovea
