#include "fovea/onnx/transformer_layer.h"

#include <functional>

#include "fovea/onnx/layers.h"

namespace fovea::onnx {
namespace {

using Sublayer = std::function<Value(const Value&)>;

/// post-norm: norm(x + sublayer(x)); pre-norm: x + sublayer(norm(x)).
Value around_sublayer(Graph& g, NormPlace place, const Norm& layer, const Value& x,
                      const Sublayer& sublayer) {
  if (place == NormPlace::post) return norm(g, layer, g.node("Add", {x, sublayer(x)}));
  return g.node("Add", {x, sublayer(norm(g, layer, x))});
}

Value encoder_layer(Graph& g, const EncoderLayer& layer, const Value& x, const Batch& batch,
                    const Surroundings& around) {
  const NormPlace place = layer.config.norm;
  const Value h = around_sublayer(g, place, layer.norm1, x, [&](const Value& rows) {
    return self_attention(g, layer.self, rows, batch, around);
  });
  return around_sublayer(g, place, layer.norm2, h, [&](const Value& rows) {
    return feed_forward(g, layer.feed_forward, rows);
  });
}

}  // namespace

Value encoder_stack(Graph& g, const EncoderStack& stack, Value x, const Batch& batch) {
  if (!stack.layers.empty()) {
    const Surroundings around = surroundings(g, batch, stack.layers.front().self.config);
    for (const EncoderLayer& layer : stack.layers) x = encoder_layer(g, layer, x, batch, around);
  }
  return stack.norm ? norm(g, *stack.norm, x) : x;
}

Value decoder_layer(Graph& g, const DecoderLayer& layer, const Value& x, const Batch& batch,
                    const Surroundings& around, const SeenMemory& memory) {
  const NormPlace place = layer.config.norm;
  const Value h = around_sublayer(g, place, layer.norm1, x, [&](const Value& rows) {
    return self_attention(g, layer.self, rows, batch, around);
  });
  const Value z = around_sublayer(g, place, layer.norm2, h, [&](const Value& rows) {
    return cross_attention(g, layer.cross, rows, batch, memory);
  });
  return around_sublayer(g, place, layer.norm3, z, [&](const Value& rows) {
    return feed_forward(g, layer.feed_forward, rows);
  });
}

}  // namespace fovea::onnx
