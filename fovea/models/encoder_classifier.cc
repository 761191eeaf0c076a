#include "fovea/models/encoder_classifier.h"

#include <algorithm>

#include "fovea/models/word_bag.h"
#include "fovea/ops/dropout.h"

namespace fovea {
namespace {

TextRows rows_of(const TextBatch& batch, Dim kinds) {
  const Segments first = rows_of_texts(batch.words.segments, batch.texts);
  const Segments& second = batch.second.segments;
  Tensor ids = Tensor::empty({first.rows() + second.rows()}, DType::i32);
  Tensor kind = Tensor::empty({ids.size()}, DType::i32);
  std::int32_t* id = ids.mutable_data<std::int32_t>();
  std::int32_t* which = kind.mutable_data<std::int32_t>();
  std::vector<Dim> lengths;
  const auto append = [&](const Tensor& from, const Segments& texts, Dim t, std::int32_t of_kind) {
    id = std::copy_n(from.data<std::int32_t>() + texts.begin(t), texts.length(t), id);
    which = std::fill_n(which, texts.length(t), of_kind);
  };
  for (Dim t = 0; t < batch.size(); ++t) {
    append(batch.words.ids, first, t, 0);
    append(batch.second.ids, second, t, 1);
    lengths.push_back(first.length(t) + second.length(t));
  }
  return {{ids, Segments::of_lengths(lengths)}, kinds >= 2 ? kind : Tensor()};
}

}  // namespace

EncoderClassifier::EncoderClassifier(Scope s, const TextClassifierConfig& config)
    : config_(config),
      encoder_(TextEncoder::make(s / "encoder", config.encoder)),
      pooler_(s / "pooler", config.pooling, encoder_->width(), config.pooling_activation),
      out_(s / "out", encoder_->width(), config.classes) {}

Var EncoderClassifier::logits(const TextBatch& batch, const Pass& pass) const {
  const TextRows rows = rows_of(batch, config_.encoder.kinds);
  const Var h = (*encoder_)(rows, pass);                      // (N, W)
  const Var pooled = pooler_(h, rows.tokens.segments, pass);  // (B, W)
  return out_(dropout(pooled, config_.dropout, pass.rng));
}

}  // namespace fovea
