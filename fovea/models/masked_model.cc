#include "fovea/models/masked_model.h"

#include "fovea/ops/loss.h"
#include "fovea/ops/rows.h"

namespace fovea {

MaskedModel::MaskedModel(Scope s, const MaskedModelConfig& config)
    : encoder(TextEncoder::make(s / "encoder", config.encoder)),
      transform(s / "transform", encoder->width(), config.encoder.width,
                {.activation = Activation::gelu}),
      norm(s / "norm", config.encoder.width, config.encoder.norm_kind, config.encoder.norm_eps),
      bias(s.param("bias", {config.encoder.vocabulary}, init::zeros())) {
  if (!config.next_sentence) return;
  pooler.emplace(s / "pooler", TextPooling::first, encoder->width());
  next.emplace(s / "next", encoder->width(), 2);
}

Var MaskedModel::hidden(const Var& h, const Tensor& places) const {
  return norm(transform(gather_rows(h, places)));
}

Var MaskedModel::logits(const Var& hidden) const {
  return linear(hidden, encoder->tokens().weight, bias);
}

Var MaskedModel::loss(const Var& hidden, const Tensor& targets) const {
  return linear_cross_entropy(hidden, encoder->tokens().weight, bias, targets,
                              {.reduction = Reduction::sum});
}

Var MaskedModel::next_logits(const Var& h, const Segments& texts, const Pass& pass) const {
  return (*next)((*pooler)(h, texts, pass));
}

}  // namespace fovea
