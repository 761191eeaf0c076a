#include "fovea/models/sentence_encoder.h"

#include "fovea/models/model_testing.h"
#include "fovea/ops/elementwise.h"

namespace fovea {
namespace {

SentenceEncoderConfig small() {
  SentenceEncoderConfig config;
  TextEncoderConfig& c = config.encoder;
  c.vocabulary = 11, c.layers = 1, c.width = 6, c.hidden = 5, c.heads = 2, c.dropout = 0;
  c.positions = Positions::sinusoidal;  // vectors of size 1: differences can follow their gradients
  config.temperature = 0.5;
  return config;
}

const TextRows kFirst = {joined(std::vector<Ids>{{1, 4, 2}, {6, 3}, {5}})};
const TextRows kSecond = {joined(std::vector<Ids>{{7}, {8, 9, 2}, {10, 3}})};

TEST(SentenceEncoder, HasTheRightGradients) {
  Params params(3, DType::f64);
  const SentenceEncoder model(params.scope(), small());
  expect_right_gradients(params, [&] { return model.loss(model(kFirst, {}), model(kSecond, {})); });
}

TEST(SentenceEncoder, GivesVectorsOfLengthOneWhateverElseIsThere) {
  const NoTape no_tape;
  Params params(3);
  const SentenceEncoder model(params.scope(), small());
  const Tensor all = model(kFirst, {}).value();
  for (Dim i = 0; i < all.rows(); ++i) {
    double square = 0;
    for (Dim d = 0; d < all.cols(); ++d) square += std::pow(all.view<float>()[i][d], 2);
    EXPECT_NEAR(square, 1, 1e-5);
  }
  const Tensor alone = model({joined(std::vector<Ids>{{6, 3}})}, {}).value();
  EXPECT_TRUE(identical(alone, all.slice(1, 2).clone()));
}

// Words 1 to 5 in one language are 6 to 10 in the other.
TEST(SentenceEncoder, BringsPairsTogether) {
  Params params(1);
  SentenceEncoderConfig config = small();
  config.encoder.width = 16, config.temperature = 0.1;
  const SentenceEncoder model(params.scope(), config);
  const double loss = learn(params, 200, 0.01, [&](Dim step) {
    std::vector<Ids> first, second;
    for (std::int32_t i = 0; i < 5; ++i) {
      const Draws draws{.seed = 7, .site = static_cast<std::uint64_t>(5 * step + i)};
      const auto other = static_cast<std::int32_t>(draws.below(0, 5));
      first.push_back({1 + i, 1 + i, 1 + other});
      second.push_back({6 + other, 6 + i, 6 + i});
    }
    const Var lost = model.loss(model({joined(first)}, {}), model({joined(second)}, {}));
    return scale(lost, 1.0 / 5);
  });
  EXPECT_LT(loss, 0.1);  // by chance log 5 = 1.6
}

}  // namespace
}  // namespace fovea
