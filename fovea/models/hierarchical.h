/// Hierarchical attention network: words make sentences, sentences make the text, and at both
/// levels a learned context vector says what to look at. Segments of segments. Yang et al. 2016,
/// "Hierarchical Attention Networks for Document Classification", eqs. 1-10:
///
///   h_it = BiGRU over the words of sentence i
///   u_it = tanh(W_w h_it + b_w),  alpha_it = softmax over t of u_it' u_w,  s_i = sum_t alpha_it
///   h_it h_i = BiGRU over s_i,  u_i = tanh(W_s h_i + b_s),  alpha_i = softmax over i of u_i' u_s
///   v = sum_i alpha_i h_i,  logits = W_c v + b_c
#pragma once

#include "fovea/models/context_attention.h"
#include "fovea/models/text_classifier.h"
#include "fovea/nn/embedding.h"
#include "fovea/nn/linear.h"
#include "fovea/nn/recurrent.h"

namespace fovea {

class Hierarchical : public TextClassifier {
 public:
  Hierarchical(Scope s, const TextClassifierConfig& config);
  /// A probe sees layers "words" (one query for each sentence of the batch, keys are its words) and
  /// "sentences" (one query for each text, keys are its sentences).
  Var logits(const TextBatch& batch, const Pass& pass) const override;

 private:
  double dropout_;
  Embedding vectors_;
  Gru word_gru_;
  ContextAttention words_;
  Gru sentence_gru_;
  ContextAttention sentences_;
  Linear out_;
};

}  // namespace fovea
