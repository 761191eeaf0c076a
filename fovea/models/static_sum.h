/// A static weighted sum of words: what class-query attention is compared with. Each word type has
/// one learned number, which depends on neither the class nor the rest of the text:
///
///   a_w = softmax over the words w of s_w,  r = sum_w a_w V e_w,  logit_c = u_c . r + b_c
#pragma once

#include "fovea/models/word_bag.h"
#include "fovea/nn/linear.h"

namespace fovea {

class StaticSum : public TextClassifier {
 public:
  StaticSum(Scope s, const TextClassifierConfig& config);
  /// A probe sees layer "text": one query for each text, keys are the words (and n-grams).
  Var logits(const TextBatch& batch, const Pass& pass) const override;

 private:
  double dropout_;
  WordBag bag_;
  Var score_;  // (ids of the bag, 1): s
  Linear value_, out_;
};

}  // namespace fovea
