/// The rows of a text made one vector that stands for all of it.
///
/// Letters: N rows, B texts, W width.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "fovea/models/context_attention.h"
#include "fovea/nn/linear.h"

namespace fovea {

enum class TextPooling {
  first,      // tanh(W h_1 + b) of the first row, the mark before the text: Devlin et al. 2019
  first_row,  // h_1 as it is
  mean,       // of all rows
  max,        // the largest of each column: Collobert and Weston 2008
  attention,  // weighed by a learned context vector: Yang et al. 2016
};
constexpr std::array<std::string_view, 5> names_of(TextPooling) {
  return {"first", "first-row", "mean", "max", "attention"};
}

struct TextPooler {
  std::string layer;  // what a probe calls it
  TextPooling pooling;
  std::optional<Linear> first;  // W, b
  std::optional<ContextAttention> attention;

  /// `activation`: of `first`.
  TextPooler(Scope s, TextPooling pooling, Dim width, Activation activation = Activation::tanh);
  /// (N, W) -> (B, W); `first` needs a row in each text. A probe sees a query for each text, whose
  /// keys are its rows: of `attention` the weights, of `max` the share of columns that came from
  /// each row.
  Var operator()(const Var& h, const Segments& texts, const Pass& pass) const;
};

}  // namespace fovea
