/// The layers of the Transformer: Vaswani et al. 2017, 3.1.
///
///   post-norm, as published:   x = norm(x + dropout(sublayer(x)))
///   pre-norm (Xiong 2020):     x = x + dropout(sublayer(norm(x)))
///
/// Letters: N rows of a batch, M rows of the memory, W width.
#pragma once

#include <array>
#include <string_view>

#include "fovea/attention/multi_head.h"
#include "fovea/models/attention_layer.h"
#include "fovea/nn/feed_forward.h"
#include "fovea/nn/norm.h"

namespace fovea {

enum class NormPlace { post, pre };
constexpr std::array<std::string_view, 2> names_of(NormPlace) { return {"post", "pre"}; }

struct TransformerLayerConfig {
  AttentionConfig attention = {};  // its width is the layer's
  Dim hidden = 2048;
  FeedForwardConfig feed_forward = {};
  NormPlace norm = NormPlace::post;
  NormKind norm_kind = NormKind::layer;
  double eps = 1e-5;
  double dropout = 0.1;  // after each sublayer
};

/// Self attention, feed-forward.
struct EncoderLayer {
  TransformerLayerConfig config;
  SelfAttention self;
  FeedForward feed_forward;
  Norm norm1, norm2;

  EncoderLayer(Scope s, const TransformerLayerConfig& config);
  Var operator()(const Var& x, const Segments& segments, const Pass& pass) const;
  AttentionLayer attention_layer() const;
};

/// Self attention to what came before, attention to the encoder's rows, feed-forward.
struct DecoderLayer {
  TransformerLayerConfig config;
  SelfAttention self;
  CrossAttention cross;
  FeedForward feed_forward;
  Norm norm1, norm2, norm3;

  DecoderLayer(Scope s, TransformerLayerConfig config);
  /// `queries`, if given, receives the rows that the cross attention makes its queries from.
  Var operator()(const Var& x, const Segments& segments, const Memory& memory, const Pass& pass,
                 Var* queries = nullptr) const;
  std::array<AttentionLayer, 2> attention_layers() const;
};

}  // namespace fovea
