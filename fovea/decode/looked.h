/// What was seen of a text while it was written: a chain of steps that its hypothesis carries, so
/// that it stays true however a search reorders, copies and drops hypotheses.
#pragma once

#include <memory>

#include "fovea/base/view.h"

namespace fovea {

/// What a stepper saw of all hypotheses of one step. Who made the stepper knows more of it.
class StepLook {
 public:
  virtual ~StepLook() = default;
};

/// The latest step of a text, and those before it.
struct Looked {
  std::shared_ptr<const Looked> before;
  std::shared_ptr<const StepLook> step;
  Dim hypothesis = 0;  // which of that step it was
};

}  // namespace fovea
