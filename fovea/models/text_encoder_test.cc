#include "fovea/models/text_encoder.h"

#include <gtest/gtest.h>

#include "fovea/attention/cache.h"
#include "fovea/models/model_testing.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/reduce.h"

namespace fovea {
namespace {

TextEncoderConfig small(TextFamily family) {
  TextEncoderConfig c;
  c.family = family;
  c.vocabulary = 7, c.layers = 2, c.width = 4, c.hidden = 3, c.heads = 2, c.longest = 8;
  return c;
}

TextEncoderConfig llama() {
  TextEncoderConfig c = small(TextFamily::transformer);
  c.causal = true, c.kv_heads = 1, c.activation = Activation::silu, c.gated = true, c.bias = false;
  c.norm_kind = NormKind::rms, c.positions = Positions::rotary;
  return c;
}

TextEncoderConfig bert() {
  TextEncoderConfig c = small(TextFamily::transformer);
  c.norm = NormPlace::post, c.input_norm = true, c.kinds = 2;
  return c;
}

TextEncoderConfig tagger() {
  TextEncoderConfig c = small(TextFamily::recurrent);
  c.letters = 5, c.letter_width = 3, c.letter_filters = 2, c.letter_windows = {1, 3};
  return c;
}

TextEncoderConfig kim() {
  TextEncoderConfig c = small(TextFamily::convolution);
  c.windows = {1, 2, 5};
  return c;
}

TextRows two_texts() {
  const std::vector<Ids> texts = {{1, 4, 2}, {6, 3}};
  const std::vector<Ids> words = {{0, 1}, {2}, {4, 3, 1}, {1, 1}, {0, 2, 4}};
  return {joined(texts), Tensor::from<std::int32_t>({5}, Ids{0, 0, 1, 0, 1}), joined(words)};
}

void expect_gradients(const TextEncoderConfig& config) {
  Params params(3, DType::f64);
  const auto encoder = TextEncoder::make(params.scope() / "encoder", config);
  // Vectors as small as they are drawn bend too sharply under a norm for differences to follow.
  for (Parameter& parameter : params.all()) {
    if (!parameter.name.ends_with("tokens.weight")) continue;
    init::normal(1)(parameter.var.mutable_value(), Draws{.seed = 1});
  }
  const TextRows rows = two_texts();
  expect_right_gradients(params, [&] {
    const Var h = (*encoder)(rows, {});
    const Var bent = tanh(h);  // a sum of normed rows alone would be constant
    return sum(mul(bent, mul(bent, h)));
  });
}

TEST(TextEncoderTest, TheGradientsOfBertAreRight) { expect_gradients(bert()); }
TEST(TextEncoderTest, TheGradientsOfLlamaAreRight) { expect_gradients(llama()); }
TEST(TextEncoderTest, TheGradientsOfATaggerAreRight) { expect_gradients(tagger()); }
TEST(TextEncoderTest, TheGradientsOfConvolutionsAreRight) { expect_gradients(kim()); }

// Each filter sees its window and nothing else: row 0 of windows 1, 2 and 5 (centred).
TEST(TextEncoderTest, AConvolutionSeesItsWindow) {
  const NoTape no_tape;
  Params params(5);
  const auto encoder = TextEncoder::make(params.scope(), kim());
  ASSERT_EQ(encoder->width(), 9);
  const auto rows = [&](const Ids& text) {
    return (*encoder)({joined(std::vector<Ids>{text})}, {}).value();
  };
  const Tensor a = rows({1, 4, 2, 5, 3}), b = rows({1, 4, 2, 6, 3}), c = rows({1, 6, 2, 5, 3});
  const auto same = [](const Tensor& x, const Tensor& y, Dim begin, Dim end) {
    return std::equal(x.data<float>() + begin, x.data<float>() + end, y.data<float>() + begin);
  };
  EXPECT_TRUE(same(a, b, 0, 9));  // the fourth token is beyond all of them
  EXPECT_TRUE(same(a, c, 0, 3));
  EXPECT_FALSE(same(a, c, 3, 9));
}

TEST(TextEncoderTest, StepByStepWithACacheEqualsWhole) {
  std::vector<TextEncoderConfig> configs = {small(TextFamily::transformer), llama(),
                                            small(TextFamily::recurrent)};
  for (TextEncoderConfig& config : configs) {
    config.causal = true;
    Params params(5);
    const auto encoder = TextEncoder::make(params.scope(), config);
    const NoTape no_tape;
    const TextRows all = {joined(std::vector<Ids>{{1, 4, 2, 5}, {6, 3, 3, 0}})};
    const Tensor whole = (*encoder)(all, {}).value();
    Cache cache(2);
    for (Dim t = 0; t < 4; ++t) {
      const std::int32_t* ids = all.tokens.ids.data<std::int32_t>();
      const TextRows next = {joined(std::vector<Ids>{{ids[t]}, {ids[4 + t]}})};
      const Tensor step = (*encoder)(next, {.cache = &cache}).value();
      EXPECT_TRUE(identical(step.slice(0, 1), whole.slice(t, t + 1))) << t;
      EXPECT_TRUE(identical(step.slice(1, 2), whole.slice(4 + t, 5 + t))) << t;
    }
  }
}

TEST(TextEncoderTest, PositionsThatWereNotLearnedAreRefused) {
  Params params(5);
  const auto encoder = TextEncoder::make(params.scope(), small(TextFamily::transformer));
  EXPECT_THROW((*encoder)({joined(std::vector<Ids>{Ids(9, 1)})}, {}), Error);
}

}  // namespace
}  // namespace fovea
