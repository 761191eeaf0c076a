/// Sentence pairs as translators see them.
#pragma once

#include "fovea/models/transformer.h"

namespace fovea::bench {

/// A sentence and its translation: rows that the encoder reads, rows that the decoder reads.
struct PairLength {
  Dim source, target;
};

/// Of the first 32 pairs of Multi30k (English, German) in 8,000 pieces, with the end or the
/// beginning. The same list as in peer_translate.py.
inline constexpr std::array<PairLength, 32> multi30k_lengths = {
    {{12, 16}, {15, 16}, {11, 12}, {16, 16}, {10, 11}, {16, 17}, {10, 12}, {20, 20},
     {13, 13}, {12, 10}, {14, 15}, {17, 19}, {10, 11}, {17, 17}, {9, 10},  {25, 23},
     {14, 12}, {16, 18}, {11, 9},  {19, 16}, {14, 18}, {19, 14}, {10, 13}, {13, 12},
     {17, 21}, {23, 20}, {11, 11}, {13, 12}, {14, 16}, {18, 16}, {14, 16}, {12, 12}}};

/// A batch: ids of both sides, and what the decoder should write.
struct Pairs {
  Sequences sources, targets;
  Tensor wanted;  // (N) i32
};

/// The mean loss of a batch, with label smoothing of 0.1.
Var loss_of(const Encoder& encoder, const Decoder& decoder, const Pairs& batch, const Pass& pass);

/// With what PyTorch's layers also have: dropout of the attention's weights and of what is inside
/// the feed-forward. One table for both languages and the last layer.
TransformerConfig translator(Preset preset, Dim vocabulary);

}  // namespace fovea::bench
