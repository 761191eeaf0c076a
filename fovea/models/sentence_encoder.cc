#include "fovea/models/sentence_encoder.h"

#include <cmath>

#include "fovea/ops/elementwise.h"
#include "fovea/ops/loss.h"
#include "fovea/ops/matmul.h"
#include "fovea/ops/norm.h"
#include "fovea/ops/rows.h"

namespace fovea {

void check(const SentenceEncoderConfig& c) {
  check(c.encoder, "model.encoder");
  FOVEA_CHECK(c.temperature > 0, ErrorKind::bad_setting,
              "model.temperature: expected a number above 0, found ", c.temperature);
}

SentenceEncoder::SentenceEncoder(Scope s, const SentenceEncoderConfig& config)
    : encoder(TextEncoder::make(s / "encoder", config.encoder)),
      pooler(s / "pooler", config.pooling, encoder->width()),
      normalise(config.normalise),
      temperature(config.temperature) {
  check(config);
}

Var SentenceEncoder::operator()(const TextRows& texts, const Pass& pass) const {
  const Var pooled = pooler((*encoder)(texts, pass), texts.tokens.segments, pass);  // (B, W)
  if (!normalise) return pooled;
  Tensor length = Tensor::empty({pooled.cols()}, pooled.dtype());  // rms_norm leaves sqrt(W)
  init::constant(1 / std::sqrt(static_cast<double>(pooled.cols())))(length, {});
  return rms_norm(pooled, Var(length), 1e-12);
}

Var SentenceEncoder::loss(const Var& a, const Var& b) const {
  const Var s = scale(matmul(a, b, {.transpose_b = true}), 1 / temperature);  // (B, B)
  Tensor own = Tensor::empty({a.rows()}, DType::i32);
  for (Dim i = 0; i < own.size(); ++i) {
    own.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(i);
  }
  const CrossEntropyOptions summed = {.reduction = Reduction::sum};
  return scale(add(cross_entropy(s, own, summed), cross_entropy(transpose(s), own, summed)), 0.5);
}

}  // namespace fovea
