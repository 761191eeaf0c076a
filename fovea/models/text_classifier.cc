#include "fovea/models/text_classifier.h"

#include "fovea/base/table_check.h"
#include "fovea/models/aligned_pair.h"
#include "fovea/models/class_query.h"
#include "fovea/models/encoder_classifier.h"
#include "fovea/models/entailment.h"
#include "fovea/models/hierarchical.h"
#include "fovea/models/static_sum.h"
#include "fovea/models/word_by_word.h"

namespace fovea {

void check(const TextClassifierConfig& c) {
  const std::string_view family = names_of(c.family)[static_cast<std::size_t>(c.family)];
  const bool of_words =
      c.family == ClassifierFamily::class_query || c.family == ClassifierFamily::static_sum;
  const TableCheck model("model");
  model.sizes({{"width", c.width}, {"hidden", c.hidden}, {"attention", c.attention}});
  model.windows("windows", c.windows);
  if (c.projections || c.windows.empty()) {
    model.heads("heads", c.heads, c.width);
  } else {
    const Dim filters = c.hidden * std::ssize(c.windows);
    model.at_least("heads", 1, c.heads);
    FOVEA_CHECK(filters % c.heads == 0, ErrorKind::bad_setting,
                "model.heads: expected a number that divides the ", filters,
                " filters that queries look at without projections, found ", c.heads);
  }
  model.shares({{"dropout", c.dropout}});
  if (c.family == ClassifierFamily::encoder) check(c.encoder, "model.encoder");
  FOVEA_CHECK(c.ngrams == 1 || of_words, ErrorKind::bad_setting, "model.ngrams: ", family,
              " reads words in their order; n-grams are for class-query and static-sum");
  FOVEA_CHECK(c.ngrams >= 1 && (c.ngrams == 1 || c.buckets > 0), ErrorKind::bad_setting,
              "model.ngrams, model.buckets: expected at least 1");
  FOVEA_CHECK(c.windows.empty() || (of_words && c.ngrams == 1), ErrorKind::bad_setting,
              "model.windows: filters are for class-query and static-sum over single words");
  const bool looks_at_pairs =
      c.family == ClassifierFamily::attentive || c.family == ClassifierFamily::word_by_word;
  FOVEA_CHECK(c.score == Score::concat || (looks_at_pairs && c.score == Score::scaled_dot),
              ErrorKind::bad_setting,
              "model.score: expected concat, or for attentive and word-by-word scaled-dot");
  FOVEA_CHECK(c.projections || c.family == ClassifierFamily::class_query, ErrorKind::bad_setting,
              "model.projections: ", family, " has none to leave out; class-query has");
  FOVEA_CHECK(c.heads == 1 || c.family == ClassifierFamily::class_query, ErrorKind::bad_setting,
              "model.heads: ", family, " has one; several are for class-query");
}

std::unique_ptr<TextClassifier> TextClassifier::make(Scope s, const TextClassifierConfig& config) {
  FOVEA_CHECK(config.classes >= 2, ErrorKind::bad_setting,
              "model: expected at least 2 classes, found ", config.classes);
  FOVEA_CHECK(config.vocabulary > 0, ErrorKind::bad_setting,
              "model: expected a vocabulary, found none");
  check(config);
  switch (config.family) {
    case ClassifierFamily::class_query:
      return std::make_unique<ClassQuery>(s, config);
    case ClassifierFamily::static_sum:
      return std::make_unique<StaticSum>(s, config);
    case ClassifierFamily::hierarchical:
      return std::make_unique<Hierarchical>(s, config);
    case ClassifierFamily::conditional:
      return std::make_unique<Conditional>(s, config);
    case ClassifierFamily::attentive:
      return std::make_unique<Attentive>(s, config);
    case ClassifierFamily::word_by_word:
      return std::make_unique<WordByWord>(s, config);
    case ClassifierFamily::encoder:
      return std::make_unique<EncoderClassifier>(s, config);
    case ClassifierFamily::aligned:
      return std::make_unique<AlignedPair>(s, config);
  }
  fail(ErrorKind::internal, "model.family: no such family");
}

}  // namespace fovea
