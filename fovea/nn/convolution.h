/// Convolution over the rows of sequences and of images.
#pragma once

#include "fovea/nn/params.h"
#include "fovea/ops/convolution.h"

namespace fovea {

struct ConvConfig {
  Dim groups = 1;  // as many as channels: each has a filter of its own (depthwise)
  bool bias = true;
};

/// Each sequence by itself: (N, in) -> (M, out). The sequences of the result are
/// windowed(segments, window).
struct Conv1d {
  Var weight;  // (out, in / groups, window.size)
  Var bias;    // (out), or undefined
  Window window;
  Dim groups;

  Conv1d(Scope s, Dim in, Dim out, const Window& window, const ConvConfig& config = {})
      : weight(s.param("weight", {out, in / config.groups, window.size}, init::kaiming())),
        bias(config.bias ? s.param("bias", {out}, init::zeros()) : Var()),
        window(window),
        groups(config.groups) {}

  Var operator()(const Var& x, const Segments& segments) const {
    return conv1d(x, segments, weight, bias, window, groups);
  }
};

/// A row a pixel: (N, in) -> (M, out). The images of the result are windowed(images, window).
struct Conv2d {
  Var weight;  // (out, in / groups, window.height.size, window.width.size)
  Var bias;    // (out), or undefined
  Window2d window;
  Dim groups;

  Conv2d(Scope s, Dim in, Dim out, const Window2d& window, const ConvConfig& config = {})
      : weight(s.param("weight", {out, in / config.groups, window.height.size, window.width.size},
                       init::kaiming())),
        bias(config.bias ? s.param("bias", {out}, init::zeros()) : Var()),
        window(window),
        groups(config.groups) {}

  Var operator()(const Var& x, const ImageShape& images) const {
    return conv2d(x, images, weight, bias, window, groups);
  }
};

}  // namespace fovea
