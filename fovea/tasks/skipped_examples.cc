#include "fovea/tasks/skipped_examples.h"

#include "fovea/base/check.h"

namespace fovea {

void SkippedExamples::count(const std::string& reason) {
  ++read_;
  if (!reason.empty()) ++reasons_[reason];
}

std::vector<std::string> SkippedExamples::notes() const {
  std::vector<std::string> notes;
  for (const auto& [reason, count] : reasons_) {
    notes.push_back(concat(count, " of ", read_, " examples left out: ", reason));
  }
  return notes;
}

}  // namespace fovea
