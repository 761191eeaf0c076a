/// BLEU: how many n-grams of a translation are in its references. Papineni et al. 2002.
///
///   p_n  = matching n-grams / n-grams of the hypotheses     (each counted as often as in a
///   reference) BP   = min(1, exp(1 - reference length / hypothesis length)) BLEU = 100 BP exp(1/4
///   sum_n log p_n),   n = 1..4, over the whole corpus
///
/// Tokens, smoothing and the treatment of short text are those of sacreBLEU (Post 2018), to whose
/// figures these are equal.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/view.h"
#include "fovea/metrics/bleu_tokens.h"

namespace fovea {

/// What stands for a p_n without matches. Chen and Cherry 2014.
enum class BleuSmoothing {
  exp,    // 1/2, 1/4, ... of a match, as mteval-v13a
  floor,  // 0.1 of a match
  add_k,  // one match and one n-gram more, for n > 1
  none,   // zero: so is BLEU
};
constexpr std::array<std::string_view, 4> names_of(BleuSmoothing) {
  return {"exp", "floor", "add-k", "none"};
}

struct BleuConfig {
  BleuTokenizer tokenize = BleuTokenizer::thirteen_a;
  bool lowercase = false;
  BleuSmoothing smooth = BleuSmoothing::exp;
  bool effective_order = false;  // leave out n-grams longer than all hypotheses

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("tokenize", tokenize);
    visit("lowercase", lowercase);
    visit("smooth", smooth);
    visit("effective_order", effective_order);
  }
};

struct Bleu {
  double score = 0;                       // 0 to 100
  std::array<double, 4> precisions = {};  // of 1- to 4-grams, 0 to 100
  double brevity_penalty = 1;
  Dim hypothesis_length = 0;
  Dim reference_length = 0;  // of the references nearest in length

  /// BLEU = 41.02 70.1/48.0/34.9/25.6 (BP = 0.981 ratio = 0.981 hyp_len = 12 ref_len = 13)
  std::string text() const;
};

/// Of a corpus. Each line may have several references.
Bleu bleu(std::span<const std::string> hypotheses,
          std::span<const std::vector<std::string>> references, const BleuConfig& config = {});
/// Of one sentence, with effective order: a short sentence may score.
Bleu sentence_bleu(const std::string& hypothesis, const std::vector<std::string>& references,
                   BleuConfig config = {});

/// What a score was computed with, in sacreBLEU's form: to be published beside it.
std::string signature(const BleuConfig& config, Dim references_per_line = 1);

/// As the script multi-bleu.perl of Moses: tokens are what stands between white space of ASCII,
/// nothing is smoothed. It says what the script says of text that was tokenized alike.
Bleu multi_bleu(std::span<const std::string> hypotheses,
                std::span<const std::vector<std::string>> references);
/// BLEU = 41.02, 70.1/48.0/34.9/25.6 (BP=0.981, ratio=0.981, hyp_len=12, ref_len=13)
std::string multi_bleu_text(const Bleu& bleu);

}  // namespace fovea
