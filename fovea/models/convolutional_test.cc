#include "fovea/models/convolutional.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "fovea/attention/cache.h"
#include "fovea/attention/probe.h"
#include "fovea/autograd/backward.h"
#include "fovea/models/model_testing.h"

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

// The paper's equations for one sentence and one block on each side, in plain loops.
using Numbers = std::vector<double>;
using Matrix = std::vector<Numbers>;

Numbers mapped(const NormedLinear& map, const Numbers& x) {
  Numbers y;
  const Rows<const double> v = map.direction.value().view<double>();
  for (Dim r = 0; r < v.rows; ++r) {
    double squares = 0, dot = 0;
    for (Dim c = 0; c < v.cols; ++c) {
      squares += v[r][c] * v[r][c];
      dot += v[r][c] * x[static_cast<std::size_t>(c)];
    }
    y.push_back(map.length.value().data<double>()[r] * dot / std::sqrt(squares) +
                map.bias.value().data<double>()[r]);
  }
  return y;
}

Numbers sum_of(const Numbers& a, const Numbers& b, double factor = 1) {
  Numbers y;
  for (std::size_t i = 0; i < a.size(); ++i) y.push_back(factor * (a[i] + b[i]));
  return y;
}

/// Row i of a block's convolution, with its gate; `ahead` rows after i are seen.
Numbers gated(const GatedConvolution& block, const Matrix& h, Dim i, Dim kernel, Dim ahead) {
  Numbers seen;
  for (Dim j = i + ahead - kernel + 1; j <= i + ahead; ++j) {
    const bool inside = j >= 0 && j < static_cast<Dim>(h.size());
    const Numbers row = inside ? h[static_cast<std::size_t>(j)] : Numbers(h[0].size(), 0);
    seen.insert(seen.end(), row.begin(), row.end());
  }
  const Numbers both = mapped(block.filters, seen);
  Numbers y;
  for (std::size_t c = 0; c < both.size() / 2; ++c) {
    y.push_back(both[c] / (1 + std::exp(-both[both.size() / 2 + c])));
  }
  return y;
}

Matrix vectors(const ConvolutionalInput& input, const Ids& ids) {
  Matrix rows;
  const auto tokens = input.tokens.weight.value().view<double>();
  const auto places = input.places.weight.value().view<double>();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const double *token = tokens[ids[i]], *place = places[static_cast<Dim>(i)];
    rows.push_back(
        sum_of(Numbers(token, token + tokens.cols), Numbers(place, place + tokens.cols)));
  }
  return rows;
}

Matrix mapped(const NormedLinear& map, const Matrix& rows) {
  Matrix y;
  for (const Numbers& row : rows) y.push_back(mapped(map, row));
  return y;
}

TEST(Convolutional, ComputesTheEquationsOfThePaper) {
  ConvolutionalConfig c = small();
  c.encoder_layers = c.decoder_layers = 1;
  const Model model(c, DType::f64);
  const Ids source = {3, 4, 5, 6, 7}, target = {1, 5, 6};
  const double half = std::sqrt(0.5);

  const Matrix e = vectors(model.encoder.input, source), in = mapped(model.encoder.in, e);
  Matrix z;
  for (std::size_t j = 0; j < e.size(); ++j) {
    const Numbers v = gated(model.encoder.layers[0], in, static_cast<Dim>(j), 3, 1);
    z.push_back(mapped(model.encoder.out, sum_of(v, in[j], half)));
  }
  const Matrix g = vectors(model.decoder.input, target), h = mapped(model.decoder.in, g);
  const auto& [convolution, cross] = model.decoder.layers[0];
  const Tensor found = model({source}, {target}).value();
  for (std::size_t i = 0; i < g.size(); ++i) {
    const Numbers state = gated(convolution, h, static_cast<Dim>(i), 3, 0);
    const Numbers d = sum_of(mapped(cross.query, state), g[i]);
    Numbers weights, read(d.size(), 0);
    double total = 0;
    for (const Numbers& row : z) {
      weights.push_back(std::exp(std::inner_product(d.begin(), d.end(), row.begin(), 0.0)));
      total += weights.back();
    }
    for (std::size_t j = 0; j < z.size(); ++j) {
      const Numbers value = sum_of(z[j], e[j], std::sqrt(5.0) * weights[j] / total);
      read = sum_of(read, value);
    }
    const Numbers looked = sum_of(mapped(cross.out, read), state, half);
    const Numbers expected = mapped(model.decoder.back, sum_of(looked, h[i], half));
    for (std::size_t k = 0; k < expected.size(); ++k) {
      EXPECT_NEAR(found.view<double>()[static_cast<Dim>(i)][k], expected[k], 1e-12);
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

Var tiny_loss(const Model& model) {
  const std::vector<Ids> sources = {{3, 4, 1}, {2}}, targets = {{1, 2, 3}, {1, 4}};
  return model.decoder.out().loss_sum(model(sources, targets), joined(targets).ids, 0.1);
}

TEST(Convolutional, HasRightGradients) {
  for (const bool tied : {false, true}) {
    ConvolutionalConfig c = tiny();
    c.tied = tied;
    Model model(c, DType::f64);
    expect_right_gradients(model.params, [&] { return tiny_loss(model); });
  }
}

// Section 3.4. Only part of what reaches the tables of the source comes through the encoder, so
// that nothing simple can be said of them.
TEST(Convolutional, TheEncoderTakesTheMeanOverTheLayersThatLook) {
  ConvolutionalConfig c = tiny();
  c.decoder_layers = 2;
  Model model(c, DType::f64);
  expect_right_gradients(
      model.params, [&] { return tiny_loss(model); },
      [](const std::string& name) {
        if (name.ends_with("tokens.weight") || name.ends_with("places.weight")) return 0.0;
        return name.starts_with("encoder.") ? 0.5 : 1.0;
      });
}

TEST(Convolutional, ShowsWhereEachLayerLooked) {
  const NoTape no_tape;
  const Model model(small());
  EXPECT_EQ(model.decoder.cross_attention(),
            (std::vector<std::string>{"decoder.0.cross", "decoder.1.cross"}));
  Probe probe({.where = "decoder.*cross"});
  const Tensor seen = model(kSources, kTargets, {.probe = &probe}).value();
  EXPECT_TRUE(identical(seen, model(kSources, kTargets).value()));
  ASSERT_EQ(probe.records().size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const AttentionRecord& record = probe.records()[i];
    EXPECT_EQ(record.layer, model.decoder.cross_attention()[i]);
    const Tensor weights = record.matrix(2, 0);
    EXPECT_EQ(weights.shape(), Shape({4, 3}));
    for (Dim q = 0; q < 4; ++q) {
      const float* w = weights.view<float>()[q];
      EXPECT_NEAR(w[0] + w[1] + w[2], 1, 1e-6);
    }
    const DecoderOptions options{.guided = AttentionHead{.layer = static_cast<Dim>(i)}};
    const HeadWeights guided =
        model.decoder.decode(joined(kTargets), model.encoder(joined(kSources), {}), {}, options)
            .guided;
    for (Dim p = 0; p < 12; ++p) {  // those of the last sequence come last
      EXPECT_NEAR(guided.weights.value().data<float>()[guided.pairs.count() - 12 + p],
                  weights.data<float>()[p], 1e-6);
    }
  }
}

TEST(Convolutional, SaysWhatItCannot) {
  const Model model(small());
  const Encoded source = model.encoder(joined(kSources), {});
  EXPECT_THROW(model.encoder(joined(std::vector<Ids>{Ids(11, 3)}), {}), Error);
  EXPECT_THROW(model.decoder.decode(joined(kTargets), source, {}, {.lag = 2}), Error);
  const DecoderOptions second{.guided = AttentionHead{.head = 1}};
  EXPECT_THROW(model.decoder.decode(joined(kTargets), source, {}, second), Error);
  ConvolutionalConfig none = small();
  none.decoder_layers = 0;
  EXPECT_THROW(Model{none}, Error);
}

}  // namespace
}  // namespace fovea
