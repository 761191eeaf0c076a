#include "fovea/models/cloze_reader.h"

#include "fovea/attention/probe.h"
#include "fovea/base/table_check.h"
#include "fovea/ops/dropout.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/pairs.h"
#include "fovea/ops/rows.h"
#include "fovea/ops/segment.h"

namespace fovea {
namespace {

const ClozeReaderConfig& checked(const ClozeReaderConfig& config) {
  FOVEA_CHECK(config.vocabulary > 0, "cloze reader: expected a vocabulary, found ",
              config.vocabulary);
  check(config);
  return config;
}

/// One query an example, which sees all keys.
Pairs pairs_of_examples(const Segments& keys) {
  return pairs_in_reach(Segments::uniform(keys.count(), 1), keys);
}

void tell(Probe* probe, const std::string& layer, const Var& weights, const Pairs& pairs,
          const Segments& queries, const Segments& keys) {
  if (probe && probe->wants(layer)) probe->keep(layer, weights.value(), pairs, queries, keys);
}

void tell_example(Probe* probe, const std::string& layer, const Var& weights,
                  const Segments& keys) {
  if (!probe) return;
  tell(probe, layer, weights, pairs_of_examples(keys), Segments::uniform(keys.count(), 1), keys);
}

}  // namespace

void check(const ClozeReaderConfig& c) {
  const TableCheck model("model");
  model.sizes({{"width", c.width}, {"hidden", c.hidden}});
  model.layers("layers", 1, c.layers);
  model.shares({{"dropout", c.dropout}});
}

ClozeReader::ClozeReader(Scope s, const ClozeReaderConfig& with)
    : config(checked(with)),
      words(s / "words", with.vocabulary, with.width),
      document(s / "document", with.width, with.hidden,
               {.layers = with.layers, .bidirectional = true, .dropout = with.dropout}),
      question(s / "question", with.width, with.hidden,
               {.layers = with.layers, .bidirectional = true, .dropout = with.dropout}) {}

Var ClozeReader::operator()(const Sequences& documents, const Sequences& questions,
                            const Pass& pass) const {
  FOVEA_CHECK(documents.segments.count() == questions.segments.count(),
              "cloze reader: ", documents.segments.count(), " documents, but ",
              questions.segments.count(), " questions");
  const Sides sides = encode(documents, questions, pass);
  const Var pointed =
      config.family == ReaderFamily::attention_sum
          ? attention_sum(sides, documents.segments)
          : attention_over_attention(sides, documents.segments, questions.segments, pass);
  tell_example(pass.probe, "answer", pointed, documents.segments);
  return pointed;
}

ClozeReader::Sides ClozeReader::encode(const Sequences& documents, const Sequences& questions,
                                       const Pass& pass) const {
  const auto drop = [&](const Var& x) { return dropout(x, config.dropout, pass.rng); };
  const Gru::Output d = document(drop(words(documents.ids)), documents.segments, pass);
  const Gru::Output q = question(drop(words(questions.ids)), questions.segments, pass);
  const std::size_t states = q.states.size();
  return {.documents = drop(d.rows),
          .questions = drop(q.rows),
          .last = drop(concat_columns({q.states[states - 2], q.states[states - 1]}))};
}

Var ClozeReader::attention_sum(const Sides& sides, const Segments& documents) const {
  const Pairs pairs = pairs_of_examples(documents);  // one for each row of the documents
  return segment_softmax(pair_dot(sides.last, sides.documents, pairs, 1), pairs.of_query);
}

Var ClozeReader::attention_over_attention(const Sides& sides, const Segments& documents,
                                          const Segments& questions, const Pass& pass) const {
  const Pairs pairs = pairs_in_reach(questions, documents);
  const PairsByKey by = pairs_by_key(pairs);
  const Var m = pair_dot(sides.questions, sides.documents, pairs, 1);       // (P, 1)
  const Var alpha = segment_softmax(m, pairs.of_query);                     // (P, 1)
  const Var beta_i = segment_softmax(gather_rows(m, by.order), by.of_key);  // (P, 1), by keys
  const Var beta =
      segment_pool(gather_rows(beta_i, by.place), pairs.of_query, Pooling::mean);  // (Q, 1)
  tell(pass.probe, "matching", alpha, pairs, questions, documents);
  tell_example(pass.probe, "question", beta, questions);
  const Var both = mul(alpha, repeat_rows(beta, pairs.of_query));  // (P, 1)
  return segment_pool(gather_rows(both, by.order), by.of_key, Pooling::sum);
}

Var probability_of(const Var& pointed, const Sequences& places) {
  return segment_pool(gather_rows(pointed, places.ids), places.segments, Pooling::sum);
}

}  // namespace fovea
