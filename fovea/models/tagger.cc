#include "fovea/models/tagger.h"

#include "fovea/base/table_check.h"
#include "fovea/ops/loss.h"
#include "fovea/ops/reduce.h"
#include "fovea/ops/rows.h"

namespace fovea {

void check(const TaggerConfig& c) {
  check(c, "model");
  TableCheck("model").sizes({{"intent_attention", c.intent_attention}});
}

Tagger::Tagger(Scope s, const TaggerConfig& c)
    : encoder_(TextEncoder::make(s / "encoder", c)), out_(s / "out", encoder_->width(), c.tags) {
  FOVEA_CHECK(c.tags > 0, "a tagger needs tags; the task tells them");
  FOVEA_CHECK(!c.causal, ErrorKind::bad_setting,
              "model.causal: a tagger reads the whole text; set causal = false");
  if (c.crf) {
    const Scope field = s / "field";
    field_ = CrfWeights{.transitions = field.param("transitions", {c.tags, c.tags}, init::zeros()),
                        .begin = field.param("begin", {c.tags}, init::zeros()),
                        .end = field.param("end", {c.tags}, init::zeros())};
  }
  if (c.intents == 0) return;
  const Scope intent = s / intent_layer;
  intent_ = IntentHead{.look = ContextAttention(intent, encoder_->width(), c.intent_attention),
                       .out = Linear(intent / "out", encoder_->width(), c.intents)};
}

Tagger::Scores Tagger::operator()(const TagBatch& batch, const Pass& pass) const {
  Var h = (*encoder_)(batch.rows, pass);  // (rows, width)
  if (batch.firsts.defined()) h = gather_rows(h, batch.firsts);
  Scores scores = {.tags = out_(h), .intents = {}};
  if (intent_) scores.intents = intent_->out(intent_->look(h, batch.words, pass));
  return scores;
}

Var Tagger::tag_loss(const Var& scores, const Segments& words, const Tensor& tags) const {
  if (field_) return crf_loss(scores, *field_, tags, words);
  return cross_entropy(scores, tags, {.reduction = Reduction::sum});
}

Tensor Tagger::best(const Tensor& scores, const Segments& words, const TagRules& rules) const {
  return field_ ? crf_best(scores, *field_, words, &rules) : argmax(scores);
}

}  // namespace fovea
