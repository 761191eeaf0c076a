/// The body of a Transformer encoder: its layers and, with pre-norm, the norm after the last one.
/// Rows in, rows out: what the rows stand for (tokens, patches, frames) is the caller's concern.
///
/// Shapes: N rows of a batch, W width.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "fovea/models/transformer_layer.h"

namespace fovea {

struct EncoderStack {
  std::vector<EncoderLayer> layers;
  std::optional<Norm> norm;  // pre-norm only

  /// Parameters are named s / i for layer i, and s / `norm_name`.
  EncoderStack(Scope s, Dim count, const TransformerLayerConfig& config,
               std::string_view norm_name = "norm");
  Var operator()(Var x, const Segments& segments, const Pass& pass) const;  // (N, W)
  AttentionLayers attention_layers() const;
};

}  // namespace fovea
