/// What those see who watch a training: what the model says to the first examples of the validation
/// set, and where it looked for the first of them. The lines are those of inspect/run_json.h.
#pragma once

#include <string>
#include <vector>

#include "fovea/inspect/run_json.h"

namespace fovea {

struct ShownExamples {
  static constexpr std::size_t most = 3;

  std::vector<TrainingSample> samples = {};
  RunRecord first = {};  // of the first sample; without layers only samples are shown

  /// What the model said is the record's output.
  void add(std::string input, RunRecord record, std::string reference);
  /// None without samples. The map is what the record shows first, or else its last layer.
  std::vector<std::string> lines(Dim step) const;
};

}  // namespace fovea
