/// What tasks share that choose one of several classes.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "fovea/ops/softmax.h"
#include "fovea/tasks/evaluation.h"

namespace fovea {

/// The labels of a batch: (B) i32.
template <class Example>
Tensor labels_of(Batch<Example> batch) {
  Ids labels;
  for (const Example& example : batch) labels.push_back(example.label);
  return Tensor::from<std::int32_t>({std::ssize(labels)}, labels);
}

/// The probability of each class for each example, from logits (B, C).
inline std::vector<std::vector<float>> class_probabilities(const Var& logits) {
  const Tensor p = softmax(logits).value();
  std::vector<std::vector<float>> all;
  for (Dim row = 0; row < p.rows(); ++row) all.push_back(row_of(p, row));
  return all;
}

/// The class with the largest probability, of equals the first.
inline Dim likeliest_class(std::span<const float> probabilities) {
  return std::max_element(probabilities.begin(), probabilities.end()) - probabilities.begin();
}

}  // namespace fovea
