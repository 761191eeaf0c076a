/// Word-by-word attention: each word of the hypothesis looks at the premise, and what was read is
/// carried on from word to word. Rocktaschel et al. 2016, eqs. 11-16:
///
///   M_t = tanh(W^y Y + (W^h h_t + W^r r_{t-1}) e_L),  alpha_t = softmax(w' M_t)
///   r_t = Y alpha_t' + tanh(W^t r_{t-1})
///   h* = tanh(W^p r_N + W^x h_N)
#pragma once

#include "fovea/models/entailment.h"

namespace fovea {

class WordByWord : public TextClassifier {
 public:
  WordByWord(Scope s, const TextClassifierConfig& config);
  /// A probe sees layer "premise": queries are the hypothesis' words, keys the premise's.
  Var logits(const TextBatch& batch, const Pass& pass) const override;

 private:
  /// The last r of each pair, (B, K). Hypotheses stand from the longest to the shortest, so that
  /// those that go on at step t are always the first ones. `weights`, if given, gets those of each
  /// step.
  Var read(const PairEncoder::Output& rows, const Segments& premises, const Segments& hypotheses,
           std::vector<Tensor>* weights) const;

  PairEncoder encoder_;
  Linear key_, query_, carried_;  // W^y, W^h, W^r
  RowScore score_;
  Linear carry_;        // W^t
  Linear read_, last_;  // W^p, W^x
  Linear out_;
};

}  // namespace fovea
