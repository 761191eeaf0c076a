/// Whether an answer that was cut out of a text is right: as SQuAD 2.0 counts it (Rajpurkar et al.
/// 2016, 6.1; 2018).
///
/// Both sides are made plain first: small letters, no ASCII punctuation, no "a", "an" and "the",
/// one blank between words. Exact match is equality of that; F1 is that of the words in common,
/// each as often as both have it. Of several right answers the one that fits best counts; "" is no
/// answer, which is right only if there is none, and then in both measures.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "fovea/base/view.h"

namespace fovea {

std::string plain_answer(std::string_view text);
/// 0 to 1.
double word_f1(std::string_view answer, std::string_view right);

/// Means over questions.
class SpanScores {
 public:
  /// `right`: all answers that are; none, or only empty ones: the question has no answer.
  void add(std::string_view answer, std::span<const std::string> right);

  struct Mean {
    double exact = 0, f1 = 0;  // sums
    Dim questions = 0;

    double exact_share() const {
      return questions == 0 ? 0 : exact / static_cast<double>(questions);
    }
    double f1_share() const { return questions == 0 ? 0 : f1 / static_cast<double>(questions); }
  };
  Mean all() const;
  const Mean& with_answer() const { return with_; }
  const Mean& without_answer() const { return without_; }

 private:
  Mean with_, without_;
};

}  // namespace fovea
