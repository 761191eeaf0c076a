/// What was captured of a text while it was written: a chain of steps that its hypothesis carries,
/// so that it stays true however a search reorders, copies and drops hypotheses.
#pragma once

#include <memory>

#include "fovea/base/view.h"

namespace fovea {

/// What a stepper captured of all hypotheses in one step. Who made the stepper knows more of it.
class StepCapture {
 public:
  virtual ~StepCapture() = default;
};

/// The latest step of a text, and those before it.
struct CapturedSteps {
  std::shared_ptr<const CapturedSteps> before;
  std::shared_ptr<const StepCapture> step;
  Dim hypothesis = 0;  // which of that step it was
};

}  // namespace fovea
