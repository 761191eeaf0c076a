/// Texts as vectors of length 1 whose products tell how alike texts are, learned from pairs that
/// belong together: a text should be nearer to its own other half than to those of all other pairs
/// of the batch. Reimers and Gurevych 2019, "Sentence-BERT"; Henderson et al. 2017, 4.4, for the
/// loss, here in both directions as in Radford et al. 2021, figure 3:
///
///   z = pool(encoder(text)) / |pool(encoder(text))|,  s_ij = a_i . b_j / tau
///   loss = -sum_i (log softmax_j(s_ij)[i] + log softmax_j(s_ji)[i]) / 2
///
/// Letters: N rows, B texts, W width.
#pragma once

#include <memory>

#include "fovea/models/text_encoder.h"
#include "fovea/models/text_pooler.h"

namespace fovea {

struct SentenceEncoderConfig {
  TextEncoderConfig encoder;
  TextPooling pooling = TextPooling::mean;
  bool normalise = true;      // false: vectors keep the length that pooling gives them
  double temperature = 0.05;  // tau

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("encoder", encoder);
    visit("pooling", pooling);
    visit("normalise", normalise);
    visit("temperature", temperature);
  }
};

/// An Error that names the key, if what a recipe says cannot make a model.
void check(const SentenceEncoderConfig& config);

struct SentenceEncoder {
  std::unique_ptr<TextEncoder> encoder;
  TextPooler pooler;
  bool normalise;
  double temperature;

  SentenceEncoder(Scope s, const SentenceEncoderConfig& config);
  /// (B, W), each of length 1 if so wanted.
  Var operator()(const TextRows& texts, const Pass& pass) const;
  /// Of pairs, summed: a, b (B, W).
  Var loss(const Var& a, const Var& b) const;
};

}  // namespace fovea
