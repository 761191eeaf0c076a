/// What may not follow what has been written.
#pragma once

#include <span>

#include "fovea/decode/search.h"

namespace fovea {

class Constraints {
 public:
  Constraints(std::int32_t end, const DecodeConfig& config,
              std::span<const std::int32_t> suppressed);

  std::int32_t end() const { return end_; }
  /// Sets the logits of all that may not follow `written` to -inf: suppressed ids, the end before
  /// min_length, and what would make an n-gram of length no_repeat for the second time.
  void apply(std::span<const std::int32_t> written, float* logits) const;
  /// Every id that is named here is one of the vocabulary.
  void check(Dim vocabulary) const;

 private:
  std::int32_t end_;
  Dim min_length_, no_repeat_;
  Ids suppressed_;
};

}  // namespace fovea
