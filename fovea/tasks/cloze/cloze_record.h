/// Where a model looked that filled a blank.
#pragma once

#include "fovea/tasks/cloze/cloze_model.h"
#include "fovea/tasks/runner.h"

namespace fovea {

/// The document shaded by the probability of its words, of which there must be one, and which words
/// of it each word of the question looked at.
RunRecord record_of(const ClozeModel& model, const ClozeText& text, const RecordOptions& options);

}  // namespace fovea
