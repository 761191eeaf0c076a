#include "fovea/models/entailment.h"

#include "fovea/attention/ordinary.h"
#include "fovea/attention/score.h"
#include "fovea/models/word_bag.h"
#include "fovea/ops/dropout.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/rows.h"

namespace fovea {
Sequences premises_of(const TextBatch& batch) {
  return {batch.words.ids, rows_of_texts(batch.words.segments, batch.texts)};
}

PairEncoder::PairEncoder(Scope s, const TextClassifierConfig& config)
    : dropout(config.dropout),
      hidden(config.hidden),
      vectors(s / "vectors", config.vocabulary, config.width),
      premise(s / "premise", config.width, config.hidden),
      hypothesis(s / "hypothesis", config.width, config.hidden) {}

PairEncoder::Output PairEncoder::operator()(const Sequences& premises, const Sequences& hypotheses,
                                            const Pass& pass) const {
  FOVEA_CHECK(premises.segments.count() == hypotheses.segments.count(),
              "entailment: ", premises.segments.count(), " first texts, but ",
              hypotheses.segments.count(), " second ones");
  const auto words = [&](const Sequences& texts) {
    return fovea::dropout(vectors(texts.ids), dropout, pass.rng);
  };
  const Lstm::Output first = premise(words(premises), premises.segments, pass);
  const LstmState& ended = first.states.front();
  const LstmState begun{Tensor::zeros(ended.h.shape(), ended.h.dtype()), ended.c};
  const Lstm::Output second =
      hypothesis(words(hypotheses), hypotheses.segments, pass, std::span(&begun, 1));
  return {first.rows, second.rows, second.states.front().h};
}

RowScore::RowScore(Scope s, const TextClassifierConfig& config)
    : weight(config.score == Score::concat ? s.param("weight", {1, config.hidden}, init::xavier())
                                           : Var()) {}

Var RowScore::operator()(const Var& q, const Var& k, const Pairs& pairs) const {
  return weight.defined() ? pair_additive(q, k, weight, pairs) : scaled_dot_score(q, k, pairs);
}

Conditional::Conditional(Scope s, const TextClassifierConfig& config)
    : encoder_(s, config), out_(s / "out", config.hidden, config.classes) {}

Var Conditional::logits(const TextBatch& batch, const Pass& pass) const {
  const Var last = encoder_(premises_of(batch), batch.second, pass).last;
  return out_(dropout(last, encoder_.dropout, pass.rng));
}

Attentive::Attentive(Scope s, const TextClassifierConfig& config)
    : encoder_(s, config),
      key_(s / "key", config.hidden, config.hidden, {.bias = false}),
      query_(s / "query", config.hidden, config.hidden, {.bias = false}),
      score_(s / "score", config),
      read_(s / "read", config.hidden, config.hidden, {.bias = false}),
      last_(s / "last", config.hidden, config.hidden, {.bias = false}),
      out_(s / "out", config.hidden, config.classes) {}

Var Attentive::logits(const TextBatch& batch, const Pass& pass) const {
  const Sequences premises = premises_of(batch);
  const PairEncoder::Output rows = encoder_(premises, batch.second, pass);
  const Segments queries = Segments::uniform(batch.size(), 1);
  const Pairs pairs = pairs_in_reach(queries, premises.segments);  // one for each row of Y
  const Var scores = score_(query_(rows.last), key_(rows.premise), pairs);
  const Var r = attend_pairs(scores, rows.premise, pairs, queries, premises.segments,
                             {.layer = "premise"}, pass);   // (B, K)
  const Var found = tanh(add(read_(r), last_(rows.last)));  // (B, K): h*
  return out_(dropout(found, encoder_.dropout, pass.rng));
}

}  // namespace fovea
