#include "fovea/models/masked_model.h"

#include "fovea/models/model_testing.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/loss.h"
#include "fovea/ops/rows.h"

namespace fovea {
namespace {

MaskedModelConfig small() {
  MaskedModelConfig config;
  TextEncoderConfig& c = config.encoder;
  c.vocabulary = 7, c.layers = 2, c.width = 6, c.hidden = 5, c.heads = 2, c.kinds = 2;
  c.positions = Positions::sinusoidal;  // vectors of size 1: differences can follow their gradients
  config.next_sentence = true;
  return config;
}

const Tensor kPlaces = Tensor::of<std::int32_t>({3}, {1, 3, 4});
const Tensor kTargets = Tensor::of<std::int32_t>({3}, {5, 4, 6});

TextRows two_texts() {
  return {joined(std::vector<Ids>{{1, 3, 2}, {1, 3, 3, 2}}),
          Tensor::of<std::int32_t>({7}, {0, 0, 0, 0, 0, 1, 1})};
}

TEST(MaskedModel, HasTheRightGradients) {
  Params params(3, DType::f64);
  const MaskedModel model(params.scope(), small());
  const TextRows rows = two_texts();
  const Tensor follows = Tensor::of<std::int32_t>({2}, {1, 0});
  expect_right_gradients(params, [&] {
    const Var h = (*model.encoder)(rows, {});
    const Var next = cross_entropy(model.next_logits(h, rows.tokens.segments, {}), follows);
    return add(model.loss(model.hidden(h, kPlaces), kTargets), next);
  });
}

// What is hidden and what is not: the loss of few rows is that of all rows of which few count.
TEST(MaskedModel, TheLossOfChosenRowsIsThatOfTheWholeText) {
  const NoTape no_tape;
  Params params(3, DType::f64);
  const MaskedModel model(params.scope(), small());
  const Var h = (*model.encoder)(two_texts(), {});
  const Tensor every = Tensor::of<std::int32_t>({7}, {0, 1, 2, 3, 4, 5, 6});
  const Tensor targets = Tensor::of<std::int32_t>({7}, {-1, 5, -1, 4, 6, -1, -1});
  const double whole =
      cross_entropy(model.logits(model.hidden(h, every)), targets, {.reduction = Reduction::sum})
          .item();
  EXPECT_NEAR(model.loss(model.hidden(h, kPlaces), kTargets).item(), whole, 1e-12);
}

// The hidden word is the one that stands on both sides of it: 4 3 4, 5 3 5, 6 3 6.
TEST(MaskedModel, FillsInWhatItsSurroundingsTell) {
  Params params(1);
  MaskedModelConfig config = small();
  config.encoder.width = 16, config.encoder.hidden = 32, config.encoder.dropout = 0;
  config.next_sentence = false;
  const MaskedModel model(params.scope(), config);
  const double loss = learn(params, 200, 0.01, [&](Dim step) {
    std::vector<Ids> texts;
    Ids places, targets;
    for (std::uint64_t i = 0; i < 16; ++i) {
      const Draws draws{.seed = 7, .site = static_cast<std::uint64_t>(step) * 16 + i};
      const auto word = static_cast<std::int32_t>(4 + draws.below(0, 3));
      const auto other = static_cast<std::int32_t>(4 + draws.below(1, 3));
      texts.push_back({other, word, 3, word, other});
      places.push_back(static_cast<std::int32_t>(5 * i + 2));
      targets.push_back(word);
    }
    const Var h = (*model.encoder)({joined(texts)}, {});
    const Var lost = model.loss(model.hidden(h, Tensor::from<std::int32_t>({16}, places)),
                                Tensor::from<std::int32_t>({16}, targets));
    return scale(lost, 1.0 / 16);
  });
  EXPECT_LT(loss, 0.05);
}

TEST(MaskedModel, NothingHiddenIsNoLoss) {
  const NoTape no_tape;
  Params params(3);
  const MaskedModel model(params.scope(), small());
  const Var h = (*model.encoder)(two_texts(), {});
  const Tensor none = Tensor::empty({0}, DType::i32);
  EXPECT_EQ(model.loss(model.hidden(h, none), none).item(), 0);
}

}  // namespace
}  // namespace fovea
