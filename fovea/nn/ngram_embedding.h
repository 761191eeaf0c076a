/// Vectors of short runs of ids, so that a model need not learn by heart what stands side by side.
#pragma once

#include <vector>

#include "fovea/nn/embedding.h"
#include "fovea/tensor/sequences.h"

namespace fovea {

/// y_r = sum over the orders n of table_n[hash(the n ids around row r) mod buckets]: Huang et al.
/// 2025, "Over-tokenized Transformer", with windows that look both ways: for encoders. Beyond the
/// ends of a sequence stands an id that no token has.
struct NgramEmbedding {
  std::vector<Dim> orders;
  std::vector<Embedding> tables;  // of each order: (buckets, W)

  NgramEmbedding(Scope s, std::vector<Dim> orders, Dim buckets, Dim width,
                 const EmbeddingConfig& config = {});
  /// (N, W). While training each run is left out with probability `drop`, as if it had never been
  /// seen: without it a model learns the runs of its examples by heart.
  Var operator()(const Sequences& rows, double drop = 0, Rng* rng = nullptr) const;
};

}  // namespace fovea
