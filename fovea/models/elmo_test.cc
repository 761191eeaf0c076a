#include "fovea/models/elmo.h"

#include <cmath>
#include <utility>

#include "fovea/models/model_testing.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/reduce.h"

namespace fovea {
namespace {

ElmoConfig small() {
  ElmoConfig c;
  c.vocabulary = 6, c.letters = 7, c.letter_width = 2, c.letter_windows = {1, 2};
  c.letter_filters = 2, c.projection = 3, c.hidden = 4, c.dropout = 0;
  return c;
}

struct Texts {
  Sequences words;  // letters
  Segments segments;
  Tensor ids;
};

Texts texts(const std::vector<Ids>& all) {  // word i is spelled i, i + 1
  std::vector<Ids> letters;
  for (const Ids& text : all) {
    for (const std::int32_t word : text) letters.push_back({word, word + 1});
  }
  const Sequences ids = joined(all);
  return {joined(letters), ids.segments, ids.ids};
}

/// Both losses.
std::pair<Var, Var> losses(const Elmo& model, const Texts& in) {
  const Elmo::Layers layers = model(in.words, in.segments, {});
  return {model.loss(Direction::forward, layers, in.ids, in.segments),
          model.loss(Direction::reverse, layers, in.ids, in.segments)};
}

TEST(Elmo, HasTheRightGradients) {
  Params params(1, DType::f64);
  const Elmo model(params.scope(), small());
  const Texts in = texts({{1, 3, 4, 2}, {1, 5, 2}});
  expect_right_gradients(params, [&] {
    const auto [forward, backward] = losses(model, in);
    return add(forward, scale(backward, 0.7));
  });
}

TEST(Elmo, EachDirectionSeesItsOwnSide) {
  const NoTape no_tape;
  Params params(2);
  const Elmo model(params.scope(), small());
  const Texts one = texts({{1, 3, 4, 2}}), other = texts({{1, 3, 5, 2}});
  const Elmo::Layers a = model(one.words, one.segments, {}),
                     b = model(other.words, other.segments, {});
  ASSERT_EQ(a.joined().size(), 3U);
  EXPECT_EQ(a.joined()[2].shape(), (Shape{4, 6}));
  const auto same = [](const Var& x, const Var& y, Dim row) {
    return identical(x.value().slice(row, row + 1).clone(), y.value().slice(row, row + 1).clone());
  };
  for (std::size_t k = 1; k <= 2; ++k) {
    EXPECT_TRUE(same(a.forward[k], b.forward[k], 1));
    EXPECT_FALSE(same(a.forward[k], b.forward[k], 3));
    EXPECT_TRUE(same(a.backward[k], b.backward[k], 3));
    EXPECT_FALSE(same(a.backward[k], b.backward[k], 1));
  }
}

// Words come in twos: 3 4 or 4 3, or 5 5. The second of each two follows from the first, whichever
// end one comes from; the first is one of three.
TEST(Elmo, LearnsFromBothEnds) {
  ElmoConfig c = small();
  c.letter_filters = 8, c.projection = 8, c.hidden = 16;
  Params params(3);
  const Elmo model(params.scope(), c);
  const double loss = learn(params, 200, 1e-2, [&](Dim step) {
    const Draws draws{.seed = 1, .site = static_cast<std::uint64_t>(step)};
    std::vector<Ids> all;
    for (std::uint64_t s = 0; s < 16; ++s) {
      Ids text = {1};
      for (std::uint64_t i = 0; i < 3; ++i) {
        const std::uint32_t two = draws.below(3 * s + i, 3);
        const Ids words = two == 0 ? Ids{3, 4} : two == 1 ? Ids{4, 3} : Ids{5, 5};
        text.insert(text.end(), words.begin(), words.end());
      }
      text.push_back(2);
      all.push_back(text);
    }
    const auto [forward, backward] = losses(model, texts(all));
    return scale(add(forward, backward), 1.0 / (2 * 16 * 7));
  });
  EXPECT_LT(loss, 3 * std::log(3.0) / 7 + 0.15);
}

TEST(Elmo, MixesFrozenLayers) {
  Params params(4, DType::f64);
  const ElmoMix mix(params.scope(), 1);
  const std::vector<Var> layers = {Var(Tensor::of<double>({2, 2}, {1, 2, 3, 4})),
                                   Var(Tensor::of<double>({2, 2}, {5, 6, 7, 9}))};
  const Tensor mean = mix(layers).value();
  EXPECT_DOUBLE_EQ(mean.view<double>()[0][0], 3);
  EXPECT_DOUBLE_EQ(mean.view<double>()[1][1], 6.5);
  expect_right_gradients(params, [&] { return sum(mul(mix(layers), mix(layers))); });
  EXPECT_THROW(mix({layers[0]}), Error);
}

}  // namespace
}  // namespace fovea
