/// Random segmentations of a word into pieces. Internal to the room.
///
/// SentencePiece draws them too, but from a generator that all threads share and nobody can rewind;
/// here they depend on `Draws` alone.
#pragma once

#include <string_view>

#include "fovea/text/piece_table.h"

namespace fovea::text {

/// Draws one number after the other.
struct Chance {
  Draws draws;
  std::uint64_t used = 0;
  float next() { return draws.uniform(used++); }
};

/// BPE-dropout (Provilkov et al. 2020, "BPE-Dropout: simple and effective subword regularization",
/// algorithm 1): of all pairs of neighbours that may be merged, each is dropped with probability
/// `dropout`; the best of the rest is merged; again, until none is left. Dropout 0 is ordinary BPE.
/// O(n log n) merges and comparisons for a word of n characters. Appends the units.
void segment_bpe(const PieceTable& pieces, std::string_view word, double dropout, Chance& chance,
                 Ids& units);

/// Subword regularisation (Kudo 2018): a segmentation x of probability proportional to P(x)^alpha
/// under the unigram model, among all there are (forward filtering, backward sampling). O(n).
void segment_unigram(const PieceTable& pieces, std::string_view word, double alpha, Chance& chance,
                     Ids& units);

/// As SentencePiece does: neighbours that are unknown are one unknown.
inline void append_unit(Ids& units, std::int32_t unit) {
  if (unit != no_unit || units.empty() || units.back() != no_unit) units.push_back(unit);
}

}  // namespace fovea::text
