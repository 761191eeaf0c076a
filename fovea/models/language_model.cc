#include "fovea/models/language_model.h"

namespace fovea {
namespace {

TextEncoderConfig looking_back(LanguageModelConfig config) {
  config.causal = true;
  return config;
}

OutputLayer last_layer(const Scope& s, const TextEncoder& encoder,
                       const LanguageModelConfig& config) {
  if (!config.tied) return {s, config.vocabulary, encoder.width(), config.out_bias};
  FOVEA_CHECK(encoder.width() == config.width, ErrorKind::bad_setting,
              "model: tied = true makes the vectors of tokens, ", config.width,
              " wide, the weights of the last layer, which sees ", encoder.width(),
              "; set hidden = width, or tied = false");
  return {s, encoder.tokens().weight, config.out_bias};
}

}  // namespace

LanguageModel::LanguageModel(Scope s, const LanguageModelConfig& config)
    : encoder(TextEncoder::make(s / "encoder", looking_back(config))),
      out(last_layer(s / "out", *encoder, config)) {}

Var LanguageModel::operator()(const Sequences& tokens, const Pass& pass) const {
  return (*encoder)({.tokens = tokens}, pass);
}

Var LanguageModel::loss_sum(const Sequences& tokens, const Tensor& next, const Pass& pass) const {
  return out.loss_sum((*this)(tokens, pass), next, 0);
}

}  // namespace fovea
