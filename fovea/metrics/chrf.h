/// chrF: F-score of the character n-grams that a translation shares with its reference.
/// Popovic 2015; chrF++ counts words and pairs of words too, Popovic 2017.
///
///   P, R  = means over n of (matches / n-grams of the hypotheses), (matches / of the references)
///   chrF  = 100 (1 + b^2) P R / (b^2 P + R),   b = 2, n = 1..6 characters, then 1..2 words
///
/// White space does not count as a character. Figures are equal to sacreBLEU's.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fovea/base/view.h"

namespace fovea {

struct ChrfConfig {
  Dim word_order = 0;  // 2: chrF++
  bool lowercase = false;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("word_order", word_order);
    visit("lowercase", lowercase);
  }
};

struct Chrf {
  double score = 0;  // 0 to 100
  Dim word_order = 0;

  /// chrF2++ = 61.23
  std::string text() const;
};

/// Of a corpus. Of several references of a line, that with the best score counts.
Chrf chrf(std::span<const std::string> hypotheses,
          std::span<const std::vector<std::string>> references, const ChrfConfig& config = {});
Chrf sentence_chrf(const std::string& hypothesis, const std::vector<std::string>& references,
                   const ChrfConfig& config = {});

/// What a score was computed with, in sacreBLEU's form.
std::string signature(const ChrfConfig& config, Dim references_per_line = 1);

}  // namespace fovea
