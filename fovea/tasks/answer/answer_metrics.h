/// How good answers are.
#pragma once

#include <span>
#include <vector>

#include "fovea/tasks/answer/answer_model.h"
#include "fovea/tasks/report.h"

namespace fovea {

/// MAP, MRR and how often the first is right, over the questions that have an answer.
std::vector<Report> evaluate(std::span<const ChoiceExample> questions,
                             std::span<const std::vector<float>> chosen);
/// Exact match and F1 as SQuAD 2.0 counts them, over all questions, those with and those without an
/// answer.
std::vector<Report> evaluate(std::span<const SpanExample> questions,
                             std::span<const FoundSpan> found);

}  // namespace fovea
