/// How good generated lines are: translations, summaries, pronunciations, captions.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/tasks/report.h"
#include "fovea/text/moses.h"

namespace fovea {

enum class TextMetric {
  bleu,        // sacreBLEU's 13a
  multi_bleu,  // after the tokenizer of Moses, for figures of papers that tokenised
  chrf,
  wer,  // words that are wrong, of a dictionary with several right answers
  per,  // tokens that are wrong
  rouge_1,
  rouge_2,
  rouge_l,
  exact,    // lines that are right
  symbols,  // words that are right, each in its place: of those that either line has
};
constexpr std::array<std::string_view, 10> names_of(TextMetric) {
  return {"bleu",    "multi-bleu", "chrf",    "wer",   "per",
          "rouge-1", "rouge-2",    "rouge-l", "exact", "symbols"};
}

struct TextEvaluation {
  std::vector<TextMetric> metrics = {TextMetric::bleu};
  bool lowercase = false;            // of both sides
  Language language = Language::en;  // of the target, for multi-bleu
  Dim lines = 0;                     // of dev, for validation while training; 0: all

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("metrics", metrics);
    visit("lowercase", lowercase);
    visit("language", language);
    visit("lines", lines);
  }
};

/// One report for each metric that `config` names. Each line may have several references. For wer
/// and per, lines of equal sources are one question, to which each of their references is a right
/// answer; for others they stay what they are.
std::vector<Report> evaluate(std::span<const std::string> sources,
                             std::span<const std::string> hypotheses,
                             std::span<const std::vector<std::string>> references,
                             const TextEvaluation& config);

/// The same of each group of sources by their number of words: at most lengths[0], at most
/// lengths[1], ..., more. Figures are named "bleu, 9 to 12 words"; empty groups have none.
std::vector<Report> evaluate_by_length(std::span<const std::string> sources,
                                       std::span<const std::string> hypotheses,
                                       std::span<const std::vector<std::string>> references,
                                       std::span<const Dim> lengths, const TextEvaluation& config);

/// Whether equal sources need to be asked only once: nothing is measured line by line.
bool asks_once(const TextEvaluation& config);

}  // namespace fovea
