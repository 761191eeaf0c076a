#include "fovea/models/tagger.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/attention/probe.h"
#include "fovea/models/model_testing.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/loss.h"

namespace fovea {
namespace {

TaggerConfig small(TextFamily family) {
  TaggerConfig c;
  c.family = family;
  c.vocabulary = 7, c.layers = 1, c.width = 4, c.hidden = 3, c.heads = 2, c.longest = 8;
  c.dropout = 0;
  c.tags = 3, c.intents = 2, c.intent_attention = 3;
  return c;
}

Tensor ids(const Ids& values) {
  return Tensor::from<std::int32_t>({static_cast<Dim>(values.size())}, values);
}

/// Words of one row each.
TagBatch whole_words(const std::vector<Ids>& texts) {
  const Sequences tokens = joined(texts);
  return {.rows = {tokens}, .words = tokens.segments, .firsts = {}};
}

/// Two texts of three words and one; the second word has two pieces.
TagBatch pieces() {
  const std::vector<Ids> texts = {{1, 4, 2, 5}, {6}};
  return {
      .rows = {joined(texts)}, .words = Segments::of_lengths({3, 1}), .firsts = ids({0, 1, 3, 4})};
}

void expect_gradients(const TaggerConfig& config) {
  Params params(3, DType::f64);
  const Tagger tagger(params.scope(), config);
  for (Parameter& parameter : params.all()) {  // zeros and tiny vectors would hide mistakes
    init::normal(0.7)(parameter.var.mutable_value(), Draws{.seed = 1, .site = 1});
  }
  const TagBatch batch = pieces();
  expect_right_gradients(params, [&] {
    const auto scores = tagger(batch, {});
    return add(tagger.tag_loss(scores.tags, batch.words, ids({0, 2, 1, 1})),
               cross_entropy(scores.intents, ids({1, 0}), {.reduction = Reduction::sum}));
  });
}

TEST(Tagger, GradientsOfRecurrentTagsAndIntentsAreRight) {
  expect_gradients(small(TextFamily::recurrent));
}

TEST(Tagger, GradientsOfATransformerWithoutAFieldAreRight) {
  TaggerConfig c = small(TextFamily::transformer);
  c.crf = false;
  expect_gradients(c);
}

/// Nothing tells whether a text is tagged 0 0 0 0 or 1 1 1 1, but that all its tags are the same.
/// By itself each tag costs log 2, however much is learned; together they cost log 2.
double learned(bool crf) {
  TaggerConfig c = small(TextFamily::recurrent);
  c.tags = 2, c.intents = 0, c.crf = crf;
  Params params(1);
  const Tagger tagger(params.scope(), c);
  const TagBatch batch = whole_words({{3, 3, 3, 3}, {3, 3, 3, 3}});
  const Tensor tags = ids({0, 0, 0, 0, 1, 1, 1, 1});
  return learn(params, 300, 0.05,
               [&](Dim) { return tagger.tag_loss(tagger(batch, {}).tags, batch.words, tags); }) /
         2;
}

TEST(Tagger, AFieldLearnsWhatTagsSayOfOneAnother) {
  EXPECT_LT(learned(true), 1.1 * std::log(2));
  EXPECT_GT(learned(false), 3.99 * std::log(2));
}

TEST(Tagger, GivesWhatTheRulesAllow) {
  Params params(5);
  const TaggerConfig c = small(TextFamily::recurrent);
  const Tagger tagger(params.scope(), c);
  const NoTape no_tape;
  const TagBatch batch = whole_words({{1, 2, 3}, {4}});
  const Tensor scores = tagger(batch, {}).tags.value();
  TagRules rules{.follows = std::vector<bool>(9, false),
                 .begins = {false, true, false},
                 .ends = {true, true, true}};
  rules.follows[1 * 3 + 2] = rules.follows[2 * 3 + 0] = true;  // 1, then 2, then 0
  EXPECT_TRUE(identical(tagger.best(scores, batch.words, rules), ids({1, 2, 0, 1})));
}

TEST(Tagger, AProbeSeesWhichWordsTellTheIntent) {
  Params params(5);
  const Tagger tagger(params.scope(), small(TextFamily::transformer));
  const NoTape no_tape;
  Probe probe;
  EXPECT_EQ(tagger(pieces(), {.probe = &probe}).intents.shape(), Shape({2, 2}));
  const AttentionRecord* record = probe.find(Tagger::intent_layer);
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->matrix(0, 0).shape(), Shape({1, 3}));  // words, not pieces
  EXPECT_EQ(tagger.encoder().looks().size(), 1U);
  EXPECT_NE(probe.find(tagger.encoder().looks()[0]), nullptr);
}

TEST(Tagger, RefusesWhatMakesNoSense) {
  Params params(5);
  TaggerConfig c = small(TextFamily::recurrent);
  c.causal = true;
  EXPECT_THROW(Tagger(params.scope(), c), Error);
}

}  // namespace
}  // namespace fovea
