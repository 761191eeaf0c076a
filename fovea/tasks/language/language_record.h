/// Where a language model looked.
#pragma once

#include <string>

#include "fovea/tasks/runner.h"
#include "fovea/tasks/language/writing_model.h"

namespace fovea {

/// Which earlier tokens each token of a line looked at, and, if there is one, of the answer after
/// it; without one, the output is the likeliest next token. As much is read as the model can look
/// back on.
RunRecord record_of(const WritingModel& model, const std::string& line, const std::string* answer,
                    const RecordOptions& options);

}  // namespace fovea
