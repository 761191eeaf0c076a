#include "fovea/models/language_model.h"

#include <gtest/gtest.h>

#include "fovea/attention/cache.h"
#include "fovea/models/model_testing.h"
#include "fovea/ops/elementwise.h"

namespace fovea {
namespace {

LanguageModelConfig gpt2() {
  LanguageModelConfig c;
  c.vocabulary = 6, c.layers = 2, c.width = 8, c.hidden = 12, c.heads = 2, c.longest = 12;
  c.dropout = 0;
  return c;
}

LanguageModelConfig llama() {
  LanguageModelConfig c = gpt2();
  c.kv_heads = 1, c.activation = Activation::silu, c.gated = true, c.bias = false, c.tied = false;
  c.norm_kind = NormKind::rms, c.positions = Positions::rotary;
  return c;
}

LanguageModelConfig lstm() {
  LanguageModelConfig c = gpt2();
  c.family = TextFamily::recurrent, c.hidden = 8;
  return c;
}

/// Texts in which each token is the one two places before it: what a model must look back for.
struct Echo {
  Sequences read;
  Tensor next;
};
Echo echoes(Dim step) {
  std::vector<Ids> read, next;
  const Draws draws = {.seed = static_cast<std::uint64_t>(step)};
  for (std::uint64_t s = 0; s < 8; ++s) {
    Ids text = {static_cast<std::int32_t>(draws.below(2 * s, 6)),
                static_cast<std::int32_t>(draws.below(2 * s + 1, 6))};
    while (text.size() < 11) text.push_back(text[text.size() - 2]);
    read.emplace_back(text.begin(), text.end() - 1);
    next.emplace_back(text.begin() + 1, text.end());
    next.back()[0] = -1;  // not to be known
  }
  return {joined(read), joined(next).ids};
}

double learned(const LanguageModelConfig& config) {
  Params params(3);
  const LanguageModel model(params.scope(), config);
  return learn(params, 200, 1e-2, [&](Dim step) {
    const Echo echo = echoes(step);
    return scale(model.loss_sum(echo.read, echo.next, {}), 1.0 / (8 * 9));
  });
}

TEST(LanguageModel, EachKindLearnsToLookBack) {
  EXPECT_LT(learned(gpt2()), 0.1) << "without looking back it is log 6 = 1.8";
  EXPECT_LT(learned(llama()), 0.1);
  LanguageModelConfig wide = lstm();
  wide.layers = 1, wide.width = wide.hidden = 24;
  EXPECT_LT(learned(wide), 0.1);
}

void expect_right_gradients_of_a_tied_model(bool out_bias) {
  LanguageModelConfig config = gpt2();
  config.layers = 1, config.width = 4, config.hidden = 3, config.out_bias = out_bias;
  Params params(5, DType::f64);
  const LanguageModel model(params.scope(), config);
  EXPECT_EQ(params.find("out.bias") != nullptr, out_bias);
  for (Parameter& parameter : params.all()) {  // larger than drawn: see text_encoder_test.cc
    if (parameter.name.ends_with("tokens.weight")) {
      init::normal(1)(parameter.var.mutable_value(), Draws{.seed = 1});
    }
  }
  const Sequences read = joined(std::vector<Ids>{{0, 1, 2, 3, 4, 5, 0, 2, 1, 3, 5, 4}});
  const Tensor next = Tensor::from<std::int32_t>({12}, Ids{1, 2, 3, 4, 5, 0, 2, 1, 3, 5, 4, 1});
  expect_right_gradients(params, [&] { return model.loss_sum(read, next, {}); });
}

TEST(LanguageModel, TheGradientsOfATiedModelAreRight) {
  expect_right_gradients_of_a_tied_model(false);
  expect_right_gradients_of_a_tied_model(true);
}

TEST(LanguageModel, NothingOfWhatFollowsIsSeen) {
  for (const LanguageModelConfig& config : {gpt2(), llama(), lstm()}) {
    Params params(7);
    const LanguageModel model(params.scope(), config);
    const NoTape no_tape;
    const Tensor some = model(joined(std::vector<Ids>{{1, 4, 2, 5}}), {}).value();
    const Tensor other = model(joined(std::vector<Ids>{{1, 4, 3, 0, 2}}), {}).value();
    EXPECT_TRUE(identical(some.slice(0, 2), other.slice(0, 2)));
    EXPECT_FALSE(identical(some.slice(2, 3), other.slice(2, 3)));
  }
}

TEST(LanguageModel, StatesOfRecurrentLayersHaveNames) {
  Params params(7);
  const LanguageModel model(params.scope(), lstm());
  const NoTape no_tape;
  Cache cache(2);
  model(joined(std::vector<Ids>{{1, 4}, {2, 5}}), {.cache = &cache});
  const std::vector<std::string> names = model.encoder->states();
  ASSERT_EQ(names.size(), 4U) << "h and c of two layers";
  for (const std::string& name : names) {
    EXPECT_EQ(cache.state(name).shape(), (Shape{2, 8})) << name;
  }
  Params others(7);
  EXPECT_TRUE(LanguageModel(others.scope(), gpt2()).encoder->states().empty());
}

TEST(LanguageModel, TiedWidthsMustFit) {
  LanguageModelConfig config = lstm();
  config.hidden = 5;
  Params params(7);
  EXPECT_THROW(LanguageModel(params.scope(), config), Error);
  config.tied = false;
  Params others(7);
  EXPECT_NO_THROW(LanguageModel(others.scope(), config));
}

}  // namespace
}  // namespace fovea
