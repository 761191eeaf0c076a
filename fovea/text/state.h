/// What the handles of a tokenizer share. Internal to the room.
#pragma once

#include "fovea/text/units.h"

namespace fovea {

struct Tokenizer::State {
  State(TokenizerConfig config, text::Learned learned);
  State(HubTokenizer tokenizer, Dim vocabulary);

  std::int32_t unit(std::int32_t id) const {
    return !hub && id == special.unknown ? text::no_unit : id - first;
  }

  TokenizerConfig config;
  text::Learned learned = {};
  std::unique_ptr<const text::Units> units;
  std::int32_t first = 0;  // the id of unit 0
  SpecialIds special = {};
  TextLayout layout = {};
  std::optional<HubTokenizer> hub = std::nullopt;
};

}  // namespace fovea
