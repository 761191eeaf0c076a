/// Attention over padded batches as nodes: what attention/multi_head.h computes over rows without
/// padding.
///
/// Letters: B texts, S places of each, N = B S rows; M rows and T places of a memory; W width, H
/// heads, G heads of keys, D = W / H.
#pragma once

#include <optional>

#include "fovea/attention/multi_head.h"
#include "fovea/onnx/graph.h"

namespace fovea::onnx {

/// A padded batch, as all layers see it.
struct Batch {
  Value mask;    // (B, S) bool: rows that are tokens
  Value shape;   // (2) i64: B, S
  Value places;  // (B, S) i64: where tokens stand in their text, wherever its padding is
};

/// From the input "attention_mask", (B, S) i64: 1 for tokens, 0 for padding.
Batch batch_of(Graph& g, const Value& mask);

/// What is told to all self attention of a stack alike: which keys are in reach, and how far they
/// are.
struct Surroundings {
  Value reach;                          // bool, as wide as (B, H, S, S) needs it
  std::optional<Value> cosines, sines;  // rotary: (B, S, 1, D/2)
  std::optional<Value> distances;       // (S, S) i64: rows of tables of distances
};
Surroundings surroundings(Graph& g, const Batch& batch, const AttentionConfig& config);

Value self_attention(Graph& g, const SelfAttention& layer, const Value& x, const Batch& batch,
                     const Surroundings& around);

/// The encoder's rows (M, W) and their batch.
struct SeenMemory {
  Value rows;
  Batch batch;
};
Value cross_attention(Graph& g, const CrossAttention& layer, const Value& x, const Batch& batch,
                      const SeenMemory& memory);

/// Where the mask says so x, elsewhere a number so low that softmax and max pass it over.
Value masked(Graph& g, const Value& mask, const Value& x);
/// Rows (N, columns) as (B, S, columns).
Value by_text(Graph& g, const Batch& batch, const Value& rows, Dim columns);

}  // namespace fovea::onnx
