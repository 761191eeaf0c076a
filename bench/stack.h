/// The stack that most workloads run: encoder layers of a Transformer, as in peer.py.
///
/// Letters: N rows, E width.
#pragma once

#include <vector>

#include "fovea/attention/probe.h"
#include "fovea/nn/feed_forward.h"
#include "fovea/nn/norm.h"

namespace fovea::bench {

struct StackConfig {
  Dim width = 512;
  Dim heads = 8;
  Dim hidden = 2048;
  Dim layers = 6;
  double dropout = 0.1;
};

/// Vaswani et al. 2017, 3.1: norm after the residual, ReLU.
struct EncoderLayer {
  StackConfig config;
  std::string name;
  Linear qkv, out;
  FeedForward feed_forward;
  LayerNorm norm1, norm2;

  EncoderLayer(Scope s, const StackConfig& config)
      : config(config),
        name(s.name()),
        qkv(s / "qkv", config.width, 3 * config.width),
        out(s / "out", config.width, config.width),
        feed_forward(s / "feed_forward", config.width, config.hidden, {.dropout = config.dropout}),
        norm1(s / "norm1", config.width),
        norm2(s / "norm2", config.width) {}

  Var attention(const Var& x, const Segments& segments, const Pass& pass) const {
    const auto run = [&](AttendCapture* capture) {
      AttendConfig attend = {.heads = config.heads, .capture = capture};
      if (pass.rng) {
        attend.drop = config.dropout;
        attend.draws = pass.rng->next();
      }
      return attend_packed(qkv(x), segments, attend);  // (N, E)
    };
    if (!pass.probe || !pass.probe->wants(name)) return out(run(nullptr));
    return out(pass.probe->watch(name, config.heads, segments, segments, run));
  }

  Var operator()(const Var& x, const Segments& segments, const Pass& pass) const {
    const AddNormOptions seam = {.dropout = config.dropout, .rng = pass.rng};
    Var y = post_norm(attention(x, segments, pass), x, norm1.weight, norm1.bias, seam);
    return post_norm(feed_forward(y, pass), y, norm2.weight, norm2.bias, seam);
  }
};

struct Stack {
  std::vector<EncoderLayer> layers;

  Stack(Scope s, const StackConfig& config) {
    for (Dim i = 0; i < config.layers; ++i) layers.emplace_back(s / i, config);
  }

  Var operator()(Var x, const Segments& segments, const Pass& pass) const {
    for (const EncoderLayer& layer : layers) x = layer(x, segments, pass);
    return x;
  }
};

}  // namespace fovea::bench
