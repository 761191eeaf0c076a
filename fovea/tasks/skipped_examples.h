/// Which training examples are skipped, and why, so that whoever trains learns of it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fovea/base/view.h"

namespace fovea {

class SkippedExamples {
 public:
  /// An example was read; `reason` says why it is skipped, "" that it is not.
  void count(const std::string& reason);
  /// One for each reason: "590 of 600 examples left out: longer than data.longest = 10".
  std::vector<std::string> notes() const;

 private:
  Dim read_ = 0;
  std::map<std::string, Dim> reasons_;
};

}  // namespace fovea
