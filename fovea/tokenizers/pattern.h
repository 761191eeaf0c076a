/// What a tokenizer looks for in a text: a literal, or a regular expression.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/tokenizers/aligned_text.h"
#include "fovea/tokenizers/json_part.h"

namespace fovea::hub {

class Pattern {
 public:
  virtual ~Pattern() = default;
  /// Appends all matches in the text, from left to right; they do not overlap.
  virtual void find(std::string_view text, std::vector<Span>& matches) const = 0;
};

/// {"String": ...} or {"Regex": ...}. The expressions that GPT-2 and Llama 3 take words apart with
/// are known and run as code; all others go to ICU.
std::unique_ptr<Pattern> read_pattern(const JsonPart& json);

/// GPT-2's, which ByteLevel implies (Radford et al. 2019).
std::unique_ptr<Pattern> gpt2_pattern();
/// One of the known expressions, or null.
std::unique_ptr<Pattern> known_pattern(std::string_view expression);

}  // namespace fovea::hub
