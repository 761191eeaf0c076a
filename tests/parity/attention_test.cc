// Attention and the Transformer's layers against PyTorch: outputs, weights, all gradients.
#include <gtest/gtest.h>

#include "fovea/attention/probe.h"
#include "fovea/models/transformer_layer.h"
#include "tests/parity/torch_names.h"

namespace fovea {
namespace {

Params::Source source(const Fixture& fixture, Dim width) {
  return [&fixture, width](const std::string& name) {
    const Theirs which = theirs(name, width);
    return part(fixture[which.name], which);
  };
}

void expect_all(const Fixture& fixture, const Params& params, const Var& y,
                const std::vector<std::pair<std::string, Var>>& inputs, Dim width) {
  expect_close(y.value(), fixture["output"]);
  const Gradients gradients = backward(y, {.seed = fixture["input.seed"]});
  for (const auto& [name, var] : inputs) {
    SCOPED_TRACE(name);
    expect_close(gradients[var], fixture["grad.input." + name]);
  }
  for (const Parameter& p : params.all()) {
    SCOPED_TRACE(p.name);
    const Theirs which = theirs(p.name, width);
    expect_close(gradients[p.var], part(fixture["grad." + which.name], which));
  }
}

class AttentionParity : public ::testing::TestWithParam<DType> {};

void expect_weights(const Fixture& fixture, const AttentionRecord& record) {
  for (Dim s = 0; s < record.sequences(); ++s) {
    const Tensor expected = fixture[concat("output.weights.", s)];  // (heads, queries, keys)
    for (Dim h = 0; h < expected.shape()[0]; ++h) {
      expect_close(record.matrix(s, h),
                   expected.slice(h, h + 1).reshape({expected.shape()[1], expected.shape()[2]}));
    }
  }
}

TEST_P(AttentionParity, SelfAttention) {
  for (bool causal : {false, true}) {
    const Fixture fixture(causal ? "attention_causal" : "attention_self", GetParam());
    Params params(source(fixture, 12), GetParam());
    const SelfAttention attention(params.scope(), {.width = 12, .heads = 3, .causal = causal});
    const Var x = fixture.input("x");
    Probe probe;
    const Var y = attention(x, fixture.segments(), {.probe = &probe});
    expect_weights(fixture, probe.records().at(0));
    expect_all(fixture, params, y, {{"x", x}}, 12);
  }
}

TEST_P(AttentionParity, CrossAttention) {
  const Fixture fixture("attention_cross", GetParam());
  Params params(source(fixture, 12), GetParam());
  const CrossAttention attention(params.scope(), {.width = 12, .heads = 3});
  const Var x = fixture.input("x"), memory = fixture.input("memory");
  Probe probe;
  const Var y = attention(x, fixture.segments(), {memory, fixture.segments("memory_lengths")},
                          {.probe = &probe});
  expect_weights(fixture, probe.records().at(0));
  expect_all(fixture, params, y, {{"x", x}, {"memory", memory}}, 12);
}

TransformerLayerConfig layer_config(bool pre) {
  return {.attention = {.width = 12, .heads = 3},
          .hidden = 20,
          .feed_forward = {.activation = pre ? Activation::gelu : Activation::relu},
          .norm = pre ? NormPlace::pre : NormPlace::post,
          .dropout = 0};
}

TEST_P(AttentionParity, EncoderLayer) {
  for (bool pre : {false, true}) {
    const Fixture fixture(pre ? "encoder_pre" : "encoder_post", GetParam());
    Params params(source(fixture, 12), GetParam());
    const EncoderLayer layer(params.scope(), layer_config(pre));
    const Var x = fixture.input("x");
    expect_all(fixture, params, layer(x, fixture.segments(), {}), {{"x", x}}, 12);
  }
}

TEST_P(AttentionParity, DecoderLayer) {
  for (bool pre : {false, true}) {
    const Fixture fixture(pre ? "decoder_pre" : "decoder_post", GetParam());
    Params params(source(fixture, 12), GetParam());
    const DecoderLayer layer(params.scope(), layer_config(pre));
    const Var x = fixture.input("x"), memory = fixture.input("memory");
    const Var y = layer(x, fixture.segments(), {memory, fixture.segments("memory_lengths")}, {});
    expect_all(fixture, params, y, {{"x", x}, {"memory", memory}}, 12);
  }
}

INSTANTIATE_TEST_SUITE_P(Types, AttentionParity, ::testing::Values(DType::f32, DType::f64),
                         [](const auto& info) { return std::string(name_of(info.param)); });

}  // namespace
}  // namespace fovea
