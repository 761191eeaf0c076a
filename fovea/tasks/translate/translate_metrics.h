/// How good translations are.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fovea/tasks/report.h"
#include "fovea/tasks/translate/translate_recipe.h"

namespace fovea {

/// One report for each metric that `config` names. Each line may have several references. For wer
/// and per, lines of equal sources are one question, to which each of their references is a right
/// answer; for others they stay what they are.
std::vector<Report> evaluate(std::span<const std::string> sources,
                             std::span<const std::string> hypotheses,
                             std::span<const std::vector<std::string>> references,
                             const TranslateEvaluation& config);

/// The same of each group of sources by their number of words: at most lengths[0], at most
/// lengths[1], ..., more. Figures are named "bleu, 9 to 12 words"; empty groups have none.
std::vector<Report> evaluate_by_length(std::span<const std::string> sources,
                                       std::span<const std::string> hypotheses,
                                       std::span<const std::vector<std::string>> references,
                                       std::span<const Dim> lengths,
                                       const TranslateEvaluation& config);

/// Whether equal sources need to be asked only once: nothing is measured line by line.
bool asks_once(const TranslateEvaluation& config);

}  // namespace fovea
