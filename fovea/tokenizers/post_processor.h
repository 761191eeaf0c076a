/// What is put around the tokens of a text and of a pair of texts.
#pragma once

#include <string_view>
#include <vector>

#include "fovea/tensor/sequences.h"
#include "fovea/tokenizers/aligned_text.h"
#include "fovea/tokenizers/json_part.h"

namespace fovea::hub {

struct TemplatePart {
  enum class Kind { text, pair, special };
  Kind kind = Kind::text;
  std::int32_t type = 0;
  Ids ids = {};  // of special tokens
};

struct PostProcessor {
  std::vector<TemplatePart> single = {{TemplatePart::Kind::text, 0}};
  std::vector<TemplatePart> pair = {{TemplatePart::Kind::text, 0}, {TemplatePart::Kind::pair, 1}};
  bool trim = false;          // spaces at the edges of a token do not count as its text
  bool prefix_space = false;  // but for one at the beginning, which was put there

  /// How many special tokens are put in.
  static Dim special_count(const std::vector<TemplatePart>& parts);
};

/// TemplateProcessing, BertProcessing, RobertaProcessing, ByteLevel, or a Sequence of those.
PostProcessor read_post_processor(const JsonPart& json);

}  // namespace fovea::hub
