#include "fovea/tasks/translate/translate_recipe.h"

#include <limits>

namespace fovea {

Vocabularies& TranslateModel::vocabularies() {
  switch (family) {
    case Family::transformer:
      return transformer;
    case Family::recurrent:
      return recurrent;
    case Family::convolutional:
      return convolutional;
    case Family::abs:
      return abs;
    case Family::universal:
      return universal;
  }
  fail("model.family: no such family");
}

Dim TranslateModel::width() const {
  switch (family) {
    case Family::transformer:
      return transformer.width;
    case Family::recurrent:
      return recurrent.hidden;
    case Family::convolutional:
      return convolutional.width;
    case Family::abs:
      return abs.hidden;
    case Family::universal:
      return universal.width;
  }
  fail("model.family: no such family");
}

Dim TranslateModel::places() const {
  constexpr Dim any = std::numeric_limits<Dim>::max();
  const auto learned = [](const TransformerConfig& config) {
    return config.positions == Positions::learned ? config.longest : any;
  };
  switch (family) {
    case Family::transformer:
      return learned(transformer);
    case Family::universal:
      return learned(universal);
    case Family::convolutional:
      return convolutional.longest;
    default:
      return any;
  }
}

void check(const TranslateModel& model) {
  switch (model.family) {
    case TranslateModel::Family::transformer:
      return check(model.transformer);
    case TranslateModel::Family::recurrent:
      return check(model.recurrent);
    case TranslateModel::Family::convolutional:
      return check(model.convolutional);
    case TranslateModel::Family::abs:
      return check(model.abs);
    case TranslateModel::Family::universal:
      return check(model.universal);
  }
}

EncoderDecoder make_encoder_decoder(Scope s, const TranslateModel& model) {
  switch (model.family) {
    case TranslateModel::Family::transformer: {
      auto encoder = std::make_unique<TransformerEncoder>(s / "encoder", model.transformer);
      auto decoder = std::make_unique<TransformerDecoder>(s / "decoder", model.transformer,
                                                          encoder->input.tokens);
      return {std::move(encoder), std::move(decoder)};
    }
    case TranslateModel::Family::recurrent:
      return {std::make_unique<RecurrentEncoder>(s / "encoder", model.recurrent),
              std::make_unique<RecurrentDecoder>(s / "decoder", model.recurrent)};
    case TranslateModel::Family::convolutional:
      return {std::make_unique<ConvolutionalEncoder>(s / "encoder", model.convolutional),
              std::make_unique<ConvolutionalDecoder>(s / "decoder", model.convolutional)};
    case TranslateModel::Family::abs:
      return {std::make_unique<AbsEncoder>(s / "encoder", model.abs),
              std::make_unique<AbsDecoder>(s / "decoder", model.abs)};
    case TranslateModel::Family::universal: {
      auto encoder = std::make_unique<UniversalEncoder>(s / "encoder", model.universal);
      auto decoder =
          std::make_unique<UniversalDecoder>(s / "decoder", model.universal, encoder->tokens);
      return {std::move(encoder), std::move(decoder)};
    }
  }
  fail("model.family: no such family");
}

void check(const TranslateDecode& decode) {
  check(static_cast<const DecodeConfig&>(decode));
  FOVEA_CHECK(decode.ratio >= 0, "decode.ratio: expected at least 0, found ", decode.ratio);
  FOVEA_CHECK(decode.rerank >= 0 && decode.rerank <= 1,
              "decode.rerank: expected a weight from 0 to 1, found ", decode.rerank);
  FOVEA_CHECK(decode.lag >= -1,
              "decode.lag: expected at least 0, or -1 for that of the model, found ", decode.lag);
}

}  // namespace fovea
