#include "fovea/models/hierarchical.h"

#include "fovea/ops/dropout.h"

namespace fovea {

Hierarchical::Hierarchical(Scope s, const TextClassifierConfig& config)
    : dropout_(config.dropout),
      vectors_(s / "vectors", config.vocabulary, config.width),
      word_gru_(s / "word_gru", config.width, config.hidden, {.bidirectional = true}),
      words_(s / "words", 2 * config.hidden, config.attention),
      sentence_gru_(s / "sentence_gru", 2 * config.hidden, config.hidden, {.bidirectional = true}),
      sentences_(s / "sentences", 2 * config.hidden, config.attention),
      out_(s / "out", 2 * config.hidden, config.classes) {}

Var Hierarchical::logits(const TextBatch& batch, const Pass& pass) const {
  const Segments& sentences = batch.words.segments;
  const Var words = dropout(vectors_(batch.words.ids), dropout_, pass.rng);               // (N, W)
  const Var s = words_(word_gru_(words, sentences, pass).rows, sentences, pass);          // (S, 2H)
  const Var v = sentences_(sentence_gru_(s, batch.texts, pass).rows, batch.texts, pass);  // (B, 2H)
  return out_(dropout(v, dropout_, pass.rng));
}

}  // namespace fovea
