/// Class-query attention: for each class a learned query looks over the words of the text, and the
/// class is judged by what its own query found.
///
///   k_w = K e_w,  v_w = V e_w
///   a_cw = softmax over the words w of q_c . k_w / sqrt(D),  r_c = sum_w a_cw v_w
///   logit_c = u_c . r_c + b_c
///
/// Scaled dot products as Vaswani et al. 2017, eq. 1, with the query a parameter as in Yang et al.
/// 2016, but one for each class. Several heads look at several places for the same class.
///
/// Mullenbach et al. 2018, 2.2, let filters read the words first (`windows`) and look at what these
/// found as it is: without `projections` k_w = v_w = e_w, and the score is 10 q_c . e_w. Adam moves
/// every weight by the same amount a step; ten times that lets queries choose while filters learn.
#pragma once

#include <optional>

#include "fovea/models/word_bag.h"
#include "fovea/nn/linear.h"

namespace fovea {

class ClassQuery : public TextClassifier {
 public:
  ClassQuery(Scope s, const TextClassifierConfig& config);
  /// A probe sees layer "classes": queries are the classes, keys the words (and n-grams).
  Var logits(const TextBatch& batch, const Pass& pass) const override;

 private:
  TextClassifierConfig config_;
  WordBag bag_;
  std::optional<Linear> key_, value_;  // projections
  Var query_;                          // (C, W)
  Var out_;                            // (C, W): u
  Var bias_;                           // (C)
};

}  // namespace fovea
