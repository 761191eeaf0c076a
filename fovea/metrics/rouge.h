/// ROUGE: how much of a summary is in the one that people wrote, and the other way round. Lin 2004.
///
///   ROUGE-N:  m = n-grams in common (each as often as in both), over n-grams of each side
///   ROUGE-L:  m = longest common subsequence of tokens, over tokens of each side (eqs. 2-4, b = 1)
///   P = m / of the hypothesis,  R = m / of the reference,  F1 = 2 P R / (P + R)
///
/// Tokens are runs of a-z and 0-9 after lower-casing; all else parts them, and nothing is stemmed.
/// Figures are equal to those of Google's rouge_score 0.1.2 (rouge1, rouge2, rougeL).
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fovea {

enum class RougeKind { one, two, longest };
constexpr std::array<std::string_view, 3> names_of(RougeKind) {
  return {"rouge-1", "rouge-2", "rouge-l"};
}

struct Rouge {
  RougeKind kind = RougeKind::one;
  double precision = 0, recall = 0, f1 = 0;  // 0 to 100

  /// ROUGE-L = 26.42 (P = 25.10 R = 29.30)
  std::string text() const;
};

/// The means of the lines' P, R and F1. Of several references of a line, that with the best F1
/// counts.
Rouge rouge(RougeKind kind, std::span<const std::string> hypotheses,
            std::span<const std::vector<std::string>> references);
Rouge sentence_rouge(RougeKind kind, const std::string& hypothesis,
                     const std::vector<std::string>& references);

std::vector<std::string> rouge_tokens(std::string_view text);

}  // namespace fovea
