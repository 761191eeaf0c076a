/// What the handles of a tokenizer share. Internal to the room.
#pragma once

#include "fovea/text/units.h"

namespace fovea {

struct Tokenizer::State {
  State(TokenizerConfig config, text::Learned learned);
  State(HubTokenizer tokenizer, Dim vocabulary);

  /// Ids are the units' own, control symbols among them: hub, marian.
  bool units_number() const { return first == 0; }
  std::int32_t unit(std::int32_t id) const {
    return !units_number() && id == special.unknown ? text::no_unit : id - first;
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
