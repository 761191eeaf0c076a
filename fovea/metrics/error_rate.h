/// Error rates of sequences of tokens, in the two conventions that published figures follow.
#pragma once

#include <span>
#include <vector>

#include "fovea/base/check.h"
#include "fovea/metrics/edit_distance.h"

namespace fovea {

namespace metrics {

/// a / b; 0 of nothing.
inline double share(Dim a, Dim b) {
  return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}

}  // namespace metrics

/// Speech: WER = edits / tokens of the references, summed over the corpus. Of characters or phones
/// as tokens it is CER or PER. It may exceed 1, where much was inserted.
struct TokenErrors {
  Edits edits;
  Dim reference_tokens = 0;
  Dim sequences = 0;
  Dim wrong_sequences = 0;

  template <class Token>
  void add(std::span<const Token> hypothesis, std::span<const Token> reference) {
    const Edits found = edit_distance(reference, hypothesis);
    edits += found;
    reference_tokens += static_cast<Dim>(reference.size());
    ++sequences;
    if (found.total() > 0) ++wrong_sequences;
  }

  double rate() const { return metrics::share(edits.total(), reference_tokens); }
  double sequence_rate() const { return metrics::share(wrong_sequences, sequences); }
};

/// Pronunciation of words, of which a dictionary may list several ways: a word is right if any of
/// them is matched. WER = wrong words / words; PER = edits to the nearest way (the first of equals)
/// / phonemes of it, both summed over the words. Yao and Zweig 2015 and others since.
struct PronunciationErrors {
  Dim words = 0;
  Dim wrong_words = 0;
  Edits edits;
  Dim reference_phonemes = 0;

  template <class Token>
  void add(std::span<const Token> hypothesis, std::span<const std::vector<Token>> references) {
    FOVEA_CHECK(!references.empty(), "pronunciation: word ", words + 1, " has no reference");
    Edits nearest;
    std::size_t length = 0;
    for (const std::vector<Token>& reference : references) {
      const Edits found = edit_distance(std::span<const Token>(reference), hypothesis);
      if (&reference != references.data() && found.total() >= nearest.total()) continue;
      nearest = found;
      length = reference.size();
    }
    ++words;
    if (nearest.total() > 0) ++wrong_words;
    edits += nearest;
    reference_phonemes += static_cast<Dim>(length);
  }

  double word_error_rate() const { return metrics::share(wrong_words, words); }
  double phoneme_error_rate() const { return metrics::share(edits.total(), reference_phonemes); }
};

}  // namespace fovea
