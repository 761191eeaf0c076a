/// Each family declares the layers that a probe sees of it, all of them and no others.
#include "fovea/models/attention_layer.h"

#include <gtest/gtest.h>

#include "fovea/attention/probe.h"
#include "fovea/models/abs.h"
#include "fovea/models/convolutional.h"
#include "fovea/models/recurrent_translator.h"
#include "fovea/models/transformer.h"
#include "fovea/models/universal.h"

namespace fovea {
namespace {

const std::vector<Ids> kSources = {{1, 2, 3}, {4, 5}}, kTargets = {{1, 2}, {3, 4, 5, 1}};

/// Rows of sequence `s` that queries or keys of this kind have.
Dim rows_of(RowsOf rows, std::size_t s, Dim steps) {
  if (rows == RowsOf::steps) return steps;
  return std::ssize(rows == RowsOf::source ? kSources[s] : kTargets[s]);
}

void expect_declared(const Encoder& encoder, const Decoder& decoder, Dim steps = 0) {
  const NoTape no_tape;
  Probe probe;
  const Pass pass = {.probe = &probe};
  decoder(joined(kTargets), encoder(joined(kSources), pass), pass);
  AttentionLayers declared = encoder.attention_layers();
  for (AttentionLayer& layer : decoder.attention_layers()) declared.push_back(layer);
  ASSERT_EQ(probe.records().size(), declared.size());
  for (std::size_t i = 0; i < declared.size(); ++i) {
    SCOPED_TRACE(declared[i].name);
    const AttentionRecord& seen = probe.records()[i];
    EXPECT_EQ(seen.layer, declared[i].name);
    EXPECT_EQ(std::ssize(seen.heads), declared[i].heads);
    for (std::size_t s = 0; s < kSources.size(); ++s) {
      EXPECT_EQ(seen.queries.length(static_cast<Dim>(s)), rows_of(declared[i].queries, s, steps));
      EXPECT_EQ(seen.keys.length(static_cast<Dim>(s)), rows_of(declared[i].keys, s, steps));
    }
  }
}

template <class Config>
Config small() {
  Config config;
  config.source_vocabulary = config.target_vocabulary = 6;
  return config;
}

TEST(AttentionLayer, OfATransformer) {
  auto config = small<TransformerConfig>();
  config.encoder_layers = 1, config.decoder_layers = 2, config.width = 8, config.heads = 2;
  Params params(1);
  const Transformer model(params.scope(), config);
  expect_declared(model.encoder, model.decoder);
  EXPECT_EQ(model.decoder.cross_attention(),
            (std::vector<std::string>{"decoder.0.cross", "decoder.1.cross"}));
}

TEST(AttentionLayer, OfAUniversalTransformer) {
  for (const bool halting : {true, false}) {
    auto config = small<UniversalConfig>();
    config.steps = 3, config.halting = halting, config.width = 8, config.heads = 2;
    Params params(1);
    const UniversalEncoder encoder(params.scope() / "encoder", config);
    expect_declared(encoder, UniversalDecoder(params.scope() / "decoder", config, encoder.tokens),
                    config.steps);
  }
}

TEST(AttentionLayer, OfRecurrentModels) {
  for (const Score score : {Score::none, Score::dot}) {
    for (const Allocation allocate : {Allocation::soft, Allocation::hard}) {
      if (score == Score::none && allocate == Allocation::hard) continue;
      auto config = small<RecurrentTranslatorConfig>();
      config.embedding = config.hidden = 4, config.bidirectional = false;
      config.read = score == Score::none ? ReadOut::before : ReadOut::after;
      config.attention.score = score, config.attention.allocate = allocate;
      Params params(1);
      const RecurrentDecoder decoder(params.scope() / "decoder", config);
      expect_declared(RecurrentEncoder(params.scope() / "encoder", config), decoder);
      if (allocate == Allocation::hard) {
        EXPECT_EQ(decoder.attention_layers().back().drawn_from, "decoder.cross");
      }
    }
  }
}

TEST(AttentionLayer, OfConvolutionsAndAbs) {
  auto convolutional = small<ConvolutionalConfig>();
  convolutional.encoder_layers = 1, convolutional.decoder_layers = 2;
  convolutional.width = convolutional.hidden = 4;
  Params params(1);
  expect_declared(ConvolutionalEncoder(params.scope() / "encoder", convolutional),
                  ConvolutionalDecoder(params.scope() / "decoder", convolutional));
  auto abs = small<AbsConfig>();
  abs.embedding = abs.hidden = 4;
  Params others(1);
  expect_declared(AbsEncoder(others.scope() / "encoder", abs),
                  AbsDecoder(others.scope() / "decoder", abs));
}

}  // namespace
}  // namespace fovea
