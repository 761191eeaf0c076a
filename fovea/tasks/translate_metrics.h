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

/// The same of each group of sources by their number of words: at most lengths[0], at most
/// lengths[1], ..., more. Figures are named "bleu, 9 to 12 words"; empty groups have none.
std::vector<Report> evaluate_by_length(std::span<const std::string> sources,
                                       std::span<const std::string> hypotheses,
                                       std::span<const std::vector<std::string>> references,
                                       std::span<const Dim> lengths,
                                       const TranslateEvaluation& config);

/// Whether equal sources are one question with several answers: what wer and per mean.
bool several_answers(const TranslateEvaluation& config);

}  // namespace fovea
