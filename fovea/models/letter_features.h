/// What a word's letters tell of it, also of one that was never seen: filters over the letters, of
/// each the largest that any place of the word gives. Kim et al. 2016; Ma and Hovy 2016, 2.1.
///
///   c_f = max over places i of tanh(w_f . [e_i ... e_(i+k-1)] + b_f)
///
/// Letters: L letters in all, N words, F features.
#pragma once

#include <vector>

#include "fovea/nn/convolution.h"
#include "fovea/nn/embedding.h"
#include "fovea/tensor/sequences.h"

namespace fovea {

struct LetterFeatures {
  Embedding vectors;
  std::vector<Conv1d> filters;  // one for each window

  LetterFeatures(Scope s, Dim letters, Dim width, const std::vector<Dim>& windows, Dim filters);
  /// Letters with a segment for each word: (N, F).
  Var operator()(const Sequences& letters) const;
  Dim width() const;
};

}  // namespace fovea
