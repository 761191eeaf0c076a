#include "fovea/models/convolutional.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/attention/cache.h"
#include "fovea/attention/probe.h"
#include "fovea/autograd/backward.h"

namespace fovea {
namespace {

ConvolutionalConfig small() {
  ConvolutionalConfig c;
  c.source_vocabulary = 12, c.target_vocabulary = 11;
  c.encoder_layers = c.decoder_layers = 2;
  c.width = 12, c.hidden = 16, c.longest = 10;
  return c;
}

struct Model {
  Params params;
  ConvolutionalEncoder encoder;
  ConvolutionalDecoder decoder;

  explicit Model(const ConvolutionalConfig& c, DType dtype = DType::f32)
      : params(1, dtype),
        encoder(params.scope() / "encoder", c),
        decoder(params.scope() / "decoder", c) {}

  Var operator()(const std::vector<Ids>& sources, const std::vector<Ids>& targets,
                 const Pass& pass = {}) const {
    return decoder(joined(targets), encoder(joined(sources), pass), pass);
  }
};

const std::vector<Ids> kSources = {{3, 4, 5, 6, 7}, {8}, {9, 10, 3}};
const std::vector<Ids> kTargets = {{1, 5, 6, 7}, {1, 7, 8, 9}, {1, 3, 4, 5}};

Tensor rows(const Tensor& t, Dim begin, Dim end) { return t.slice(begin, end).clone(); }

std::vector<Ids> part(const std::vector<Ids>& all, Dim begin, Dim end) {
  std::vector<Ids> parts;
  for (const Ids& ids : all) parts.emplace_back(ids.begin() + begin, ids.begin() + end);
  return parts;
}

TEST(Convolutional, OneTokenAtATimeEqualsTheWhole) {
  const NoTape no_tape;
  for (const Dim kernel : {1, 2, 3, 5}) {
    ConvolutionalConfig c = small();
    c.kernel = kernel;
    Model model(c);
    for (const bool packed : {false, true}) {
      const Tensor whole = model(kSources, kTargets).value();
      if (packed) model.params.pack();
      const Encoded source = model.encoder(joined(kSources), {});
      Cache cache(3);
      for (Dim t = 0; t < 4; t += t == 0 ? 2 : 1) {  // first a forced beginning of two
        const Dim n = t == 0 ? 2 : 1;
        const Tensor step =
            model.decoder(joined(part(kTargets, t, t + n)), source, {.cache = &cache}).value();
        for (Dim s = 0; s < 3; ++s) {
          EXPECT_TRUE(
              identical(rows(step, s * n, (s + 1) * n), rows(whole, 4 * s + t, 4 * s + t + n)))
              << "sequence " << s << " from " << t << ", kernel " << kernel;
        }
      }
    }
  }
}

TEST(Convolutional, ABeamThatIsReorderedGoesOn) {
  const NoTape no_tape;
  const Model model(small());
  const Encoded source = model.encoder(joined(kSources), {});
  Cache cache(3);
  model.decoder(joined(part(kTargets, 0, 3)), source, {.cache = &cache});
  const std::vector<Dim> from = {2, 0, 0};
  cache.select(from);
  const std::vector<Ids> next = {{5}, {7}, {9}};
  const Tensor step = model.decoder(joined(next), source, {.cache = &cache}).value();
  for (Dim i = 0; i < 3; ++i) {
    const auto origin = static_cast<std::size_t>(from[static_cast<std::size_t>(i)]);
    Ids target = kTargets[origin];
    target.back() = next[static_cast<std::size_t>(i)][0];
    EXPECT_TRUE(
        identical(rows(step, i, i + 1), rows(model({kSources[origin]}, {target}).value(), 3, 4)));
  }
}

TEST(Convolutional, ASentenceDoesNotDependOnItsNeighbours) {
  const NoTape no_tape;
  const Model model(small());
  const Tensor together = model(kSources, kTargets).value();
  for (std::size_t s = 0; s < 3; ++s) {
    const auto first = static_cast<Dim>(4 * s);
    EXPECT_TRUE(
        identical(rows(together, first, first + 4), model({kSources[s]}, {kTargets[s]}).value()));
  }
}

TEST(Convolutional, WhatIsWrittenLaterChangesNothing) {
  const NoTape no_tape;
  const Model model(small());
  const Tensor one = model({kSources[0]}, {{1, 5, 6, 7}}).value();
  const Tensor other = model({kSources[0]}, {{1, 5, 6, 9}}).value();
  EXPECT_TRUE(identical(rows(one, 0, 3), rows(other, 0, 3)));
  EXPECT_FALSE(identical(rows(one, 3, 4), rows(other, 3, 4)));
}

/// What backward says of every element of every parameter is share(its name) of what differences
/// say; those with a share of 0 are left out.
template <class Share>
void expect_gradients(const ConvolutionalConfig& c, const Share& share) {
  Model model(c, DType::f64);
  const std::vector<Ids> sources = {{3, 4, 1}, {2}}, targets = {{1, 2, 3}, {1, 4}};
  const auto loss = [&] {
    return model.decoder.out().loss_sum(model(sources, targets), joined(targets).ids, 0.1);
  };
  const Gradients gradients = backward(loss());
  const NoTape no_tape;
  for (Parameter& p : model.params.all()) {
    const Tensor gradient = gradients[p.var];
    const double factor = share(p.name);
    if (factor == 0) continue;
    for (Dim i = 0; i < gradient.size(); ++i) {
      double& x = p.var.mutable_value().mutable_data<double>()[i];
      const double before = x, step = 1e-5;
      x = before + step;
      const double above = loss().item();
      x = before - step;
      const double below = loss().item();
      x = before;
      const double numeric = factor * (above - below) / (2 * step);
      ASSERT_NEAR(gradient.data<double>()[i], numeric, 1e-6 * std::max(1.0, std::abs(numeric)))
          << p.name << ", element " << i;
    }
  }
}

ConvolutionalConfig tiny() {
  ConvolutionalConfig c;
  c.source_vocabulary = c.target_vocabulary = 5;
  c.encoder_layers = 2, c.decoder_layers = 1;
  c.width = 3, c.hidden = 4, c.longest = 3;
  return c;
}

TEST(Convolutional, HasRightGradients) {
  for (const bool tied : {false, true}) {
    ConvolutionalConfig c = tiny();
    c.tied = tied;
    expect_gradients(c, [](const std::string&) { return 1.0; });
  }
}

// Section 3.4. Only part of what reaches the tables of the source comes through the encoder, so
// that nothing simple can be said of them.
TEST(Convolutional, TheEncoderTakesTheMeanOverTheLayersThatLook) {
  ConvolutionalConfig c = tiny();
  c.decoder_layers = 2;
  expect_gradients(c, [](const std::string& name) {
    if (name.ends_with("tokens.weight") || name.ends_with("places.weight")) return 0.0;
    return name.starts_with("encoder.") ? 0.5 : 1.0;
  });
}

TEST(Convolutional, ShowsWhereEachLayerLooked) {
  const NoTape no_tape;
  const Model model(small());
  EXPECT_EQ(model.decoder.looks(),
            (std::vector<std::string>{"decoder.0.cross", "decoder.1.cross"}));
  Probe probe({.where = "decoder.*cross"});
  const Tensor seen = model(kSources, kTargets, {.probe = &probe}).value();
  EXPECT_TRUE(identical(seen, model(kSources, kTargets).value()));
  ASSERT_EQ(probe.records().size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const AttentionRecord& record = probe.records()[i];
    EXPECT_EQ(record.layer, model.decoder.looks()[i]);
    const Tensor weights = record.matrix(2, 0);
    EXPECT_EQ(weights.shape(), Shape({4, 3}));
    for (Dim q = 0; q < 4; ++q) {
      const float* w = weights.view<float>()[q];
      EXPECT_NEAR(w[0] + w[1] + w[2], 1, 1e-6);
    }
    AskedWeights asked{.layer = static_cast<Dim>(i)};
    const Sequences targets = joined(kTargets);
    const Encoded source = model.encoder(joined(kSources), {});
    asked.pairs = pairs_in_reach(targets.segments, source.segments);
    model.decoder(targets, source, {}, {.asked = &asked});
    for (Dim p = 0; p < 12; ++p) {  // those of the last sequence come last
      EXPECT_NEAR(asked.weights.value().data<float>()[asked.pairs.count() - 12 + p],
                  weights.data<float>()[p], 1e-6);
    }
  }
}

TEST(Convolutional, SaysWhatItCannot) {
  const Model model(small());
  const Encoded source = model.encoder(joined(kSources), {});
  EXPECT_THROW(model.encoder(joined(std::vector<Ids>{Ids(11, 3)}), {}), Error);
  EXPECT_THROW(model.decoder(joined(kTargets), source, {}, {.lag = 2}), Error);
  AskedWeights second{.head = 1};
  EXPECT_THROW(model.decoder(joined(kTargets), source, {}, {.asked = &second}), Error);
  ConvolutionalConfig none = small();
  none.decoder_layers = 0;
  EXPECT_THROW(Model{none}, Error);
}

}  // namespace
}  // namespace fovea
