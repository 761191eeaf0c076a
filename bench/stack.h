/// The stack that most workloads run: encoder layers of a Transformer, as in peer.py.
#pragma once

#include "fovea/models/encoder_stack.h"

namespace fovea::bench {

struct StackConfig {
  Dim width = 512;
  Dim heads = 8;
  Dim hidden = 2048;
  Dim layers = 6;
  double dropout = 0.1;
};

inline EncoderStack stack_of(Scope s, const StackConfig& config) {
  const TransformerLayerConfig layer = {
      .attention = {.width = config.width, .heads = config.heads, .dropout = config.dropout},
      .hidden = config.hidden,
      .feed_forward = {.dropout = config.dropout},
      .dropout = config.dropout};
  return {s, config.layers, layer};
}

}  // namespace fovea::bench
