/// The stack that most workloads run: encoder layers of a Transformer, as in peer.py.
#pragma once

#include <vector>

#include "fovea/models/transformer_layer.h"

namespace fovea::bench {

struct StackConfig {
  Dim width = 512;
  Dim heads = 8;
  Dim hidden = 2048;
  Dim layers = 6;
  double dropout = 0.1;
};

struct Stack {
  std::vector<EncoderLayer> layers;

  Stack(Scope s, const StackConfig& config) {
    const TransformerLayerConfig layer = {
        .attention = {.width = config.width, .heads = config.heads, .dropout = config.dropout},
        .hidden = config.hidden,
        .feed_forward = {.dropout = config.dropout},
        .dropout = config.dropout};
    for (Dim i = 0; i < config.layers; ++i) layers.emplace_back(s / i, layer);
  }

  Var operator()(Var x, const Segments& segments, const Pass& pass) const {
    for (const EncoderLayer& layer : layers) x = layer(x, segments, pass);
    return x;
  }
};

}  // namespace fovea::bench
