/// Two texts compared word by word, whatever the order of the words: each word is aligned with
/// those of the other text that are like it, and compared with what it was aligned with. Parikh et
/// al. 2016, "A Decomposable Attention Model for Natural Language Inference", 3:
///
///   e_ij = sum_d (w_d a_id / |a_i|) (w_d b_jd / |b_j|)
///   alpha_i = sum_j softmax_j(e_ij) b_j,  beta_j = sum_i softmax_i(e_ij) a_i
///   v_i = relu(G [|a_i - alpha_i|; a_i alpha_i]),  u_j = relu(G [|b_j - beta_j|; b_j beta_j])
///   logits = W_2 relu(W_1 [mean v; max v; mean u; max u])
///
/// The paper scores by a network and compares [a_i; alpha_i]. Here words are scored by a weighted
/// cosine, so that equal words find one another before anything is learned, and compared by
/// difference and product (Mou et al. 2016), so that it matters whether words agree and not which
/// they are: from a few thousand pairs there is no more to be learned.
#pragma once

#include "fovea/models/text_classifier.h"
#include "fovea/nn/embedding.h"
#include "fovea/nn/linear.h"

namespace fovea {

class AlignedPair : public TextClassifier {
 public:
  AlignedPair(Scope s, const TextClassifierConfig& config);
  /// A probe sees layers "first" (queries are the words of the first text, keys those of the
  /// second) and "second", the other way round.
  Var logits(const TextBatch& batch, const Pass& pass) const override;

 private:
  struct Side {
    Var words, keys;  // (N, W): vectors, and what they are scored by
    Segments texts;
  };
  Side side(const Sequences& texts) const;
  /// The words of a text against another's: (B, 2 H), mean and largest.
  Var compared(const Side& own, const Side& other, const char* layer, const Pass& pass) const;

  double dropout_;
  Embedding vectors_;
  Var weight_;  // (W): w
  Linear compare_, join_, out_;
};

}  // namespace fovea
