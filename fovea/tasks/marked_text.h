/// Texts as encoders read them: with the marks that a tokenizer's layout puts around them.
#pragma once

#include <span>

#include "fovea/tokenizers/text_layout.h"

namespace fovea {

struct MarkedText {
  Ids ids = {};
  Ids kinds = {};  // of each: which text of a pair it belongs to
};

MarkedText marked_text(std::span<const std::int32_t> text, const TextLayout& layout);
MarkedText marked_pair(std::span<const std::int32_t> first, std::span<const std::int32_t> second,
                       const TextLayout& layout);

/// The ids of one text, which loses its end where there would be more than `most` with its marks;
/// `cut` is told whether it did.
Ids marked(Ids text, const TextLayout& layout, Dim most, bool* cut = nullptr);

}  // namespace fovea
