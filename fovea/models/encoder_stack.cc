#include "fovea/models/encoder_stack.h"

namespace fovea {

EncoderStack::EncoderStack(Scope s, Dim count, const TransformerLayerConfig& config,
                           std::string_view norm_name) {
  for (Dim i = 0; i < count; ++i) layers.emplace_back(s / i, config);
  if (config.norm == NormPlace::pre) {
    norm.emplace(s / norm_name, config.attention.width, config.norm_kind, config.eps);
  }
}

Var EncoderStack::operator()(Var x, const Segments& segments, const Pass& pass) const {
  for (const EncoderLayer& layer : layers) x = layer(x, segments, pass);
  return norm ? (*norm)(x) : x;
}

AttentionLayers EncoderStack::attention_layers() const {
  AttentionLayers all;
  for (const EncoderLayer& layer : layers) all.push_back(layer.attention_layer());
  return all;
}

}  // namespace fovea
