#include "fovea/models/transformer_layer.h"

#include "fovea/ops/dropout.h"
#include "fovea/ops/elementwise.h"

namespace fovea {
namespace {

AddNormOptions seam(const TransformerLayerConfig& config, const Pass& pass) {
  return {.kind = config.norm_kind, .eps = config.eps, .dropout = config.dropout, .rng = pass.rng};
}

/// norm(x + dropout(y))
Var after(const Var& y, const Var& x, const Norm& norm, const TransformerLayerConfig& config,
          const Pass& pass) {
  return post_norm(y, x, norm.weight, norm.bias, seam(config, pass));
}

/// {z, norm(z)} with z = x + dropout(y): the end of one sublayer and the beginning of the next.
std::array<Var, 2> between(const Var& y, const Var& x, const Norm& norm,
                           const TransformerLayerConfig& config, const Pass& pass) {
  return add_dropout_norm(y, x, norm.weight, norm.bias, seam(config, pass));
}

TransformerLayerConfig causal(TransformerLayerConfig config) {
  config.attention.causal = true;
  return config;
}

/// Attention to a memory: without what concerns places in one's own sequence.
AttentionConfig across(AttentionConfig config) {
  config.causal = false;
  config.window = -1;
  config.distance = DistanceBias::none;
  config.rope.reset();
  return config;
}

}  // namespace

EncoderLayer::EncoderLayer(Scope s, const TransformerLayerConfig& c)
    : config(c),
      self(s / "self", c.attention),
      feed_forward(s / "feed_forward", c.attention.width, c.hidden, c.feed_forward),
      norm1(s / "norm1", c.attention.width, c.norm_kind, c.eps),
      norm2(s / "norm2", c.attention.width, c.norm_kind, c.eps) {}

Var EncoderLayer::operator()(const Var& x, const Segments& segments, const Pass& pass) const {
  if (config.norm == NormPlace::post) {
    const Var h = after(self(x, segments, pass), x, norm1, config, pass);  // (N, W)
    return after(feed_forward(h, pass), h, norm2, config, pass);
  }
  const auto [z, h] = between(self(norm1(x), segments, pass), x, norm2, config, pass);
  return add(z, dropout(feed_forward(h, pass), config.dropout, pass.rng));
}

AttentionLayer EncoderLayer::attention_layer() const {
  return {.name = self.name, .heads = config.attention.heads};
}

DecoderLayer::DecoderLayer(Scope s, TransformerLayerConfig c)
    : config(causal(std::move(c))),
      self(s / "self", config.attention),
      cross(s / "cross", across(config.attention)),
      feed_forward(s / "feed_forward", config.attention.width, config.hidden, config.feed_forward),
      norm1(s / "norm1", config.attention.width, config.norm_kind, config.eps),
      norm2(s / "norm2", config.attention.width, config.norm_kind, config.eps),
      norm3(s / "norm3", config.attention.width, config.norm_kind, config.eps) {}

Var DecoderLayer::operator()(const Var& x, const Segments& segments, const Memory& memory,
                             const Pass& pass, Var* queries) const {
  const auto attend = [&](const Var& h) {
    if (queries) *queries = h;
    return cross(h, segments, memory, pass);
  };
  if (config.norm == NormPlace::post) {
    const Var h = after(self(x, segments, pass), x, norm1, config, pass);  // (N, W)
    const Var g = after(attend(h), h, norm2, config, pass);
    return after(feed_forward(g, pass), g, norm3, config, pass);
  }
  const auto [y, h] = between(self(norm1(x), segments, pass), x, norm2, config, pass);
  const auto [z, g] = between(attend(h), y, norm3, config, pass);
  return add(z, dropout(feed_forward(g, pass), config.dropout, pass.rng));
}

std::array<AttentionLayer, 2> DecoderLayer::attention_layers() const {
  const Dim heads = config.attention.heads;
  return {AttentionLayer{self.name, RowsOf::prefix, RowsOf::prefix, heads},
          AttentionLayer{cross.name, RowsOf::target, RowsOf::source, heads}};
}

}  // namespace fovea
