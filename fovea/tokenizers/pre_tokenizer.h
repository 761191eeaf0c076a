/// What takes a text apart into words before a model sees them: no token reaches over their edges.
#pragma once

#include <memory>
#include <vector>

#include "fovea/tokenizers/aligned_text.h"
#include "fovea/tokenizers/json_part.h"
#include "fovea/tokenizers/string_ids.h"

namespace fovea::hub {

/// A part of a text: a word, or the number of an added token, which nothing takes apart.
struct Piece {
  Span span = {};
  std::int32_t added = no_id;
};

struct Pieces {
  AlignedText text;
  std::vector<Piece> pieces = {};

  std::string_view text_of(const Piece& piece) const {
    return text.text().substr(piece.span.begin, piece.span.end - piece.span.begin);
  }
};

class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;
  virtual void operator()(Pieces& pieces) const = 0;
};

struct PreTokenizing {
  std::unique_ptr<PreTokenizer> step = nullptr;  // null: the text is one word
  bool byte_level = false;                       // the model is to take words as bytes
};

/// Any of those that `pre_tokenizer.cc` names.
///
/// ByteLevel is written as if each byte became a character of its own (byte_characters.h); here
/// words stay what they are, and the model reads its vocabulary as bytes instead. So it must come
/// last, as it always does.
PreTokenizing read_pre_tokenizer(const JsonPart& json, int depth = 0);

/// Puts "▁" in the place of spaces and at the beginning, and parts words before each.
std::unique_ptr<PreTokenizer> read_metaspace(const JsonPart& json);
/// Whether Metaspace writes its mark at the beginning: always, of the text only, never.
enum class PrependScheme { always, first, never };
PrependScheme read_prepend_scheme(const JsonPart& json);

}  // namespace fovea::hub
