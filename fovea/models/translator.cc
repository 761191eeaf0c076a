#include "fovea/models/translator.h"

#include <limits>

namespace fovea {
namespace {

template <class E, class D, class Config>
EncoderDecoder make_apart(Scope s, const Config& c) {
  return {std::make_unique<E>(s / "encoder", c), std::make_unique<D>(s / "decoder", c)};
}

EncoderDecoder make(Scope s, const TransformerConfig& c) {
  auto encoder = std::make_unique<TransformerEncoder>(s / "encoder", c);
  auto decoder = std::make_unique<TransformerDecoder>(s / "decoder", c, encoder->input.tokens);
  return {std::move(encoder), std::move(decoder)};
}
EncoderDecoder make(Scope s, const UniversalConfig& c) {
  auto encoder = std::make_unique<UniversalEncoder>(s / "encoder", c);
  auto decoder = std::make_unique<UniversalDecoder>(s / "decoder", c, encoder->tokens);
  return {std::move(encoder), std::move(decoder)};
}
EncoderDecoder make(Scope s, const RecurrentTranslatorConfig& c) {
  return make_apart<RecurrentEncoder, RecurrentDecoder>(s, c);
}
EncoderDecoder make(Scope s, const ConvolutionalConfig& c) {
  return make_apart<ConvolutionalEncoder, ConvolutionalDecoder>(s, c);
}
EncoderDecoder make(Scope s, const AbsConfig& c) {
  return make_apart<AbsEncoder, AbsDecoder>(s, c);
}

}  // namespace

TranslatorConfig default_config(TranslatorFamily family) {
  const std::array<TranslatorConfig, 5> defaults = {
      TransformerConfig::preset(Preset::base), RecurrentTranslatorConfig(), ConvolutionalConfig(),
      AbsConfig(), UniversalConfig()};
  return defaults[static_cast<std::size_t>(family)];
}

TranslatorFamily family_of(const TranslatorConfig& config) {
  return static_cast<TranslatorFamily>(config.index());
}

void check(const TranslatorConfig& config) {
  std::visit([](const auto& c) { check(c); }, config);
}

EncoderDecoder make_encoder_decoder(Scope s, const TranslatorConfig& config) {
  return std::visit([&](const auto& c) { return make(s, c); }, config);
}

Vocabularies& vocabularies_of(TranslatorConfig& config) {
  return std::visit([](auto& c) -> Vocabularies& { return c; }, config);
}

Dim width_of(const TranslatorConfig& config) {
  return std::visit(
      [](const auto& c) {
        if constexpr (requires { c.width; }) {
          return c.width;
        } else {
          return c.hidden;
        }
      },
      config);
}

Dim longest_of(const TranslatorConfig& config) {
  return std::visit(
      [](const auto& c) {
        constexpr Dim any = std::numeric_limits<Dim>::max();
        if constexpr (requires { c.positions; }) {
          return c.positions == Positions::learned ? c.longest : any;
        } else if constexpr (requires { c.longest; }) {
          return c.longest;
        } else {
          return any;
        }
      },
      config);
}

Dim lag_of(const TranslatorConfig& config) {
  const auto* transformer = std::get_if<TransformerConfig>(&config);
  return transformer ? transformer->lag : 0;
}

bool is_hard(const TranslatorConfig& config) {
  const auto* recurrent = std::get_if<RecurrentTranslatorConfig>(&config);
  return recurrent && recurrent->attention.allocate == Allocation::hard;
}

}  // namespace fovea
