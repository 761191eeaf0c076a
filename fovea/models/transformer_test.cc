#include "fovea/models/transformer.h"

#include <gtest/gtest.h>

#include "fovea/attention/cache.h"
#include "fovea/autograd/backward.h"
#include "fovea/ops/loss.h"

namespace fovea {
namespace {

TransformerConfig small() {
  TransformerConfig c;
  c.source_vocabulary = c.target_vocabulary = 11;
  c.encoder_layers = c.decoder_layers = 2;
  c.width = 16, c.heads = 4, c.hidden = 24, c.longest = 12;
  return c;
}

std::vector<TransformerConfig> variants() {
  std::vector<TransformerConfig> all;
  for (const Positions positions :
       {Positions::sinusoidal, Positions::learned, Positions::relative, Positions::rotary,
        Positions::sinusoidal_halves, Positions::relation_aware}) {
    for (const NormPlace norm : {NormPlace::post, NormPlace::pre}) {
      for (const Dim lag : {0, 1, 3}) {
        TransformerConfig c = small();
        c.positions = positions, c.norm = norm, c.lag = lag;
        all.push_back(c);
      }
    }
  }
  TransformerConfig grams = small();
  grams.source_ngrams = {3, 5};
  grams.ngram_buckets = 32;
  all.push_back(grams);
  return all;
}

const std::vector<Ids> kSources = {{3, 4, 5, 6, 7}, {8}, {9, 10, 3}};
const std::vector<Ids> kTargets = {{1, 5, 6}, {1, 7, 8, 9}, {1, 3, 4}};

Tensor rows(const Tensor& t, Dim begin, Dim end) { return t.slice(begin, end).clone(); }

TEST(Transformer, OneTokenAtATimeEqualsTheWhole) {
  const NoTape no_tape;
  for (const TransformerConfig& c : variants()) {
    Params params(1);
    const Transformer model(params.scope(), c);
    const Sequences sources = joined(kSources);
    const std::vector<Ids> two = {{1, 5, 6, 7}, {1, 7, 8, 9}, {1, 3, 4, 5}};
    const Sequences targets = joined(two);
    const Encoded memory = model.encoder(sources, {});
    const Tensor whole = model.decoder(targets, memory, {}).value();

    Cache cache(3);
    for (Dim t = 0; t < 4; t += t == 0 ? 2 : 1) {  // first a forced beginning of two
      const Dim n = t == 0 ? 2 : 1;
      std::vector<Ids> next;
      for (const Ids& ids : two) next.emplace_back(ids.begin() + t, ids.begin() + t + n);
      const Tensor step = model.decoder(joined(next), memory, {.cache = &cache}).value();
      for (Dim s = 0; s < 3; ++s) {
        EXPECT_TRUE(
            identical(rows(step, s * n, (s + 1) * n), rows(whole, 4 * s + t, 4 * s + t + n)))
            << "sequence " << s << " from " << t << ", positions " << static_cast<int>(c.positions)
            << ", norm " << static_cast<int>(c.norm) << ", lag " << c.lag;
      }
    }
  }
}

TEST(Transformer, ASentenceDoesNotDependOnItsNeighbours) {
  const NoTape no_tape;
  for (const TransformerConfig& c : variants()) {
    Params params(2);
    const Transformer model(params.scope(), c);
    const auto h = [&](std::size_t first, std::size_t last) {
      const Sequences sources =
          joined(std::vector<Ids>(kSources.begin() + first, kSources.begin() + last));
      const Sequences targets =
          joined(std::vector<Ids>(kTargets.begin() + first, kTargets.begin() + last));
      return model.decoder(targets, model.encoder(sources, {}), {}).value();
    };
    EXPECT_TRUE(identical(rows(h(0, 3), 3, 7), h(1, 2)));
  }
}

TEST(Transformer, WithALagWhatArrivesLaterChangesNothing) {
  const NoTape no_tape;
  TransformerConfig c = small();
  c.lag = 2;
  Params params(3);
  const Transformer model(params.scope(), c);
  const auto h = [&](const Ids& source) {
    const Sequences sources = joined(std::vector<Ids>{source});
    return model.decoder(joined(std::vector<Ids>{{1, 5, 6}}), model.encoder(sources, {}), {})
        .value();
  };
  const Tensor one = h({3, 4, 5, 6, 7}), other = h({3, 4, 5, 9, 9});
  EXPECT_TRUE(identical(rows(one, 0, 2), rows(other, 0, 2)));  // reads 2, then 3
  EXPECT_FALSE(identical(rows(one, 2, 3), rows(other, 2, 3)));
}

TEST(Transformer, TiesItsTables) {
  const auto size = [](Tied tied) {
    TransformerConfig c = small();
    c.tied = tied;
    Params params(4);
    const Transformer model(params.scope(), c);
    const Sequences sources = joined(kSources), targets = joined(kTargets);
    const Var h = model.decoder(targets, model.encoder(sources, {}), {});
    const Gradients g = backward(model.decoder.last.loss_sum(h, targets.ids, 0));
    EXPECT_EQ(g.size(), params.all().size());
    EXPECT_EQ(model.decoder.last.logits(h).cols(), 11);
    return params.size();
  };
  EXPECT_EQ(size(Tied::none) - size(Tied::output), 11 * 16);
  EXPECT_EQ(size(Tied::output) - size(Tied::all), 11 * 16);
  TransformerConfig c = small();
  c.tied = Tied::all;
  c.source_vocabulary = 12;
  Params params(5);
  EXPECT_THROW(Transformer(params.scope(), c), Error);
}

TEST(Transformer, LearnedPositionsEnd) {
  TransformerConfig c = small();
  c.positions = Positions::learned;
  Params params(6);
  const Transformer model(params.scope(), c);
  EXPECT_THROW(model.encoder(joined(std::vector<Ids>{Ids(13, 3)}), {}), Error);
}

TEST(Transformer, SequencesBeginWhereLearnedPositionsHaveRoom) {
  TransformerConfig c = small();
  c.positions = Positions::learned;
  c.offset = 2 * c.longest;
  Params params(6);
  const Transformer model(params.scope(), c);
  Rng rng{.seed = 3};
  const Pass pass = {.rng = &rng};
  const Encoded source = model.encoder(joined(kSources), pass);
  for (std::size_t s = 0; s < kSources.size(); ++s) {
    EXPECT_LE(source.begins[s] + std::ssize(kSources[s]), c.longest);
  }
  const std::vector<Ids> longer(3, Ids(static_cast<std::size_t>(c.longest), 3));
  EXPECT_NO_THROW(model.decoder(joined(longer), source, pass));
}

TEST(Transformer, BaseHasThePublishedSize) {  // table 3: 65 million, with 37,000 shared pieces
  TransformerConfig c = TransformerConfig::preset(Preset::base);
  c.source_vocabulary = c.target_vocabulary = 37000;
  c.tied = Tied::all;
  Params params(7);
  const Transformer model(params.scope(), c);
  EXPECT_NEAR(static_cast<double>(params.size()), 65e6, 2.5e6);
}

}  // namespace
}  // namespace fovea
