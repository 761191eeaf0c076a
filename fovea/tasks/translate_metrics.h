/// How good translations are.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fovea/tasks/report.h"
#include "fovea/tasks/translate_recipe.h"

namespace fovea {

/// One report for each metric that `config` names. Each line may have several references.
std::vector<Report> evaluate(std::span<const std::string> hypotheses,
                             std::span<const std::vector<std::string>> references,
                             const TranslateEvaluation& config);

/// Whether equal sources are one question with several answers: what wer and per mean.
bool several_answers(const TranslateEvaluation& config);

}  // namespace fovea
