/// Which tokens of a text are hidden, and behind what. Devlin et al. 2019, 3.1: a share of the
/// tokens is chosen; of these 80% become the mask, 10% a token drawn at random, 10% stay, so that a
/// model cannot trust what it sees at a place that it may be asked for.
#pragma once

#include <span>

#include "fovea/base/rng.h"
#include "fovea/text/tokenizer.h"

namespace fovea {

struct MaskingConfig {
  double share = 0.15;       // of the tokens; at least one of each text
  bool dynamic = true;       // drawn anew in each epoch (Liu et al. 2019, 4.1), or once for all
  bool whole_words = false;  // a word's pieces are hidden together

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("share", share);
    visit("dynamic", dynamic);
    visit("whole_words", whole_words);
  }
};

struct Masked {
  Ids tokens;        // with masks
  Ids places = {};   // that were chosen, rising
  Ids targets = {};  // what stood there
};

/// The same draws give the same masking. Control symbols of the text are left alone. The tokenizer
/// has the mask as a control symbol.
Masked masked(std::span<const std::int32_t> tokens, const Tokenizer& words,
              const MaskingConfig& config, const Draws& draws);

}  // namespace fovea
