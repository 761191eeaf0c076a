/// The marks that a model reads around a text, and around and between two.
#pragma once

#include "fovea/tensor/sequences.h"

namespace fovea {

/// One text: before, text, after. Two: before, first, between, second, behind. BERT's "[CLS] a
/// [SEP] b [SEP]" has a kind for the first text and its marks, which is 0, and one for the rest.
struct TextLayout {
  Ids before = {}, after = {};    // of one text; of two, `before` is the same
  Ids between = {}, behind = {};  // of two
  std::int32_t second_kind = 1;   // of the second text and what is behind it

  /// Marks in all.
  Dim single_count() const { return std::ssize(before) + std::ssize(after); }
  Dim pair_count() const { return std::ssize(before) + std::ssize(between) + std::ssize(behind); }
};

}  // namespace fovea
