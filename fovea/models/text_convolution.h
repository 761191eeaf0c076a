/// Filters over neighbouring tokens of a text: with the largest of each over the text
/// (TextPooling::max) the classifier of Kim 2014, "Convolutional Neural Networks for Sentence
/// Classification", eq. 2:
///
///   c_if = relu(w_f . [x_i ... x_(i+k-1)] + b_f), for filters f of each of several windows k
#pragma once

#include <vector>

#include "fovea/models/text_encoder.h"
#include "fovea/nn/convolution.h"

namespace fovea {

/// relu of filters over each of several windows, side by side: (N, W) -> (N, filters * windows).
struct NeighbourFilters {
  std::vector<Conv1d> of_window;

  NeighbourFilters(Scope s, Dim width, Dim filters, const std::vector<Dim>& windows);
  Var operator()(const Var& x, const Segments& texts) const;
};

struct TextConvolution : TextEncoder {
  TextEncoderConfig config;
  Embedding vectors;
  NeighbourFilters filters;

  TextConvolution(Scope s, const TextEncoderConfig& config);
  Var operator()(const TextRows& rows, const Pass& pass) const override;
  Dim width() const override { return config.hidden * static_cast<Dim>(config.windows.size()); }
  const Embedding& tokens() const override { return vectors; }
  std::vector<std::string> looks() const override { return {}; }
};

}  // namespace fovea
