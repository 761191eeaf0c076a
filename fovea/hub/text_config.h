/// An encoder of ours as Hugging Face's transformers would describe it: the way back of
/// hub/text_model.h.
#pragma once

#include <optional>
#include <string>

#include "fovea/config/config.h"
#include "fovea/models/text_encoder.h"

namespace fovea {

/// Their config.json without what belongs to a head. The architecture is the one that has the
/// encoder's settings; a setting that it does not have is an Error that names it. Dropout does not
/// count: it is of training. `pad`: the id of padding, which RoBERTa counts places by.
Json hub_text_config(const TextEncoderConfig& encoder, std::optional<std::int32_t> pad = {});

}  // namespace fovea
