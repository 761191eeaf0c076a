/// Where a model looked that answered a question.
#pragma once

#include <string_view>

#include "fovea/tasks/answer/answer_model.h"
#include "fovea/tasks/runner.h"

namespace fovea {

/// What people are told if no span answers.
constexpr std::string_view not_said = "(the passage does not say)";

/// The texts shaded by the probability of their words or sentences, and where question and text (of
/// sentences: the one that was chosen) looked.
RunRecord record_of(const AnswerModel& model, const ChoiceExample& question,
                    const RecordOptions& options);
RunRecord record_of(const AnswerModel& model, const SpanExample& question,
                    const RecordOptions& options);

}  // namespace fovea
