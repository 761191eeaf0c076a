/// The families of models that translate: which encoder and decoder belong together, and what all
/// their settings have in common.
#pragma once

#include <variant>

#include "fovea/models/abs.h"
#include "fovea/models/convolutional.h"
#include "fovea/models/recurrent_translator.h"
#include "fovea/models/transformer.h"
#include "fovea/models/universal.h"

namespace fovea {

enum class TranslatorFamily { transformer, recurrent, convolutional, abs, universal };
constexpr std::array<std::string_view, 5> names_of(TranslatorFamily) {
  return {"transformer", "recurrent", "convolutional", "abs", "universal"};
}

/// The settings of a family, in the order of TranslatorFamily.
using TranslatorConfig = std::variant<TransformerConfig, RecurrentTranslatorConfig,
                                      ConvolutionalConfig, AbsConfig, UniversalConfig>;

/// The family's settings before a recipe says anything.
TranslatorConfig default_config(TranslatorFamily family);
TranslatorFamily family_of(const TranslatorConfig& config);

/// An Error that names the key, if what a recipe says cannot make a model.
void check(const TranslatorConfig& config);
EncoderDecoder make_encoder_decoder(Scope s, const TranslatorConfig& config);

Vocabularies& vocabularies_of(TranslatorConfig& config);
/// For schedules that depend on it.
Dim width_of(const TranslatorConfig& config);
/// The most rows that a sequence may have: no limit unless places are learned.
Dim longest_of(const TranslatorConfig& config);
/// Rows of the source that are read before the first target is written; 0: all of them.
Dim lag_of(const TranslatorConfig& config);
/// Whether its attention is hard: attention/mechanism.h.
bool is_hard(const TranslatorConfig& config);

}  // namespace fovea
