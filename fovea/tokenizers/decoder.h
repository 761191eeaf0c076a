/// What makes text of tokens again.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fovea/tokenizers/json_part.h"

namespace fovea::hub {

class Decoder {
 public:
  virtual ~Decoder() = default;
  /// Changes each token, or their number; the text is what they then are, one after the other.
  virtual void operator()(std::vector<std::string>& tokens) const = 0;
};

/// Any of those that `decoder.cc` names.
std::unique_ptr<Decoder> read_decoder(const JsonPart& json, int depth = 0);

}  // namespace fovea::hub
