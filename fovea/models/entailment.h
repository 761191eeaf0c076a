/// Does the first text (the premise) entail the second (the hypothesis)? Rocktaschel et al. 2016,
/// "Reasoning about Entailment with Neural Attention", sections 2.2 and 2.3.
///
/// Letters: L rows of premises, N rows of hypotheses, B pairs, K hidden units.
#pragma once

#include "fovea/models/text_classifier.h"
#include "fovea/nn/embedding.h"
#include "fovea/nn/linear.h"
#include "fovea/nn/recurrent.h"
#include "fovea/ops/pairs.h"

namespace fovea {

/// Conditional encoding: an LSTM reads the premise; another reads the hypothesis, and begins with
/// the cell state that the first ended with.
struct PairEncoder {
  double dropout;
  Dim hidden;
  Embedding vectors;
  Lstm premise, hypothesis;

  PairEncoder(Scope s, const TextClassifierConfig& config);

  struct Output {
    Var premise;     // (L, K): Y
    Var hypothesis;  // (N, K): h_t
    Var last;        // (B, K): h_N
  };
  Output operator()(const Sequences& premises, const Sequences& hypotheses, const Pass& pass) const;
};

/// e of each pair of rows that were mapped by W^h (and W^r) and by W^y: w' tanh(q + k) as the paper
/// has it, or q . k / sqrt(K).
struct RowScore {
  Var weight;  // (1, K): w; undefined for dot products

  RowScore(Scope s, const TextClassifierConfig& config);
  Var operator()(const Var& q, const Var& k, const Pairs& pairs) const;  // (P, 1)
};

/// Judged by the state after the last word of the hypothesis.
class Conditional : public TextClassifier {
 public:
  Conditional(Scope s, const TextClassifierConfig& config);
  Var logits(const TextBatch& batch, const Pass& pass) const override;

 private:
  PairEncoder encoder_;
  Linear out_;
};

/// And one look back at the premise, eqs. 6-10:
///   M = tanh(W^y Y + W^h h_N e_L),  alpha = softmax(w' M),  r = Y alpha'
///   h* = tanh(W^p r + W^x h_N)
class Attentive : public TextClassifier {
 public:
  Attentive(Scope s, const TextClassifierConfig& config);
  /// A probe sees layer "premise": one query for each pair, keys are the premise's words.
  Var logits(const TextBatch& batch, const Pass& pass) const override;

 private:
  PairEncoder encoder_;
  Linear key_, query_;  // W^y, W^h
  RowScore score_;
  Linear read_, last_;  // W^p, W^x
  Linear out_;
};

/// The words of the first texts with a segment for each text.
Sequences premises_of(const TextBatch& batch);

}  // namespace fovea
