// Norms, dropout and embedding: what is not true of every op.
#include "fovea/ops/norm.h"

#include <cmath>

#include "fovea/autograd/backward.h"
#include "fovea/ops/dropout.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/embedding.h"
#include "fovea/ops/expect_error.h"

namespace fovea {
namespace {

Tensor rising(Shape shape) {
  Tensor t = Tensor::empty(shape);
  for (Dim i = 0; i < t.size(); ++i) t.mutable_data<float>()[i] = std::sin(static_cast<float>(i));
  return t;
}

TEST(AddNorm, EqualsItsParts) {
  const Var x = rising({7, 20}), residual = scale(x, -2), gamma = rising({20}), beta = rising({20});
  Rng fused{.seed = 3}, separate{.seed = 3};
  const auto [z, y] = add_dropout_norm(x, residual, gamma, beta, {.dropout = 0.4, .rng = &fused});
  const Var sum = add(residual, dropout(x, 0.4, &separate));
  EXPECT_TRUE(identical(z.value(), sum.value()));
  EXPECT_TRUE(identical(y.value(), layer_norm(sum, gamma, beta).value()));
  Rng again{.seed = 3};
  const Var alone = post_norm(x, residual, gamma, beta, {.dropout = 0.4, .rng = &again});
  EXPECT_TRUE(identical(y.value(), alone.value()));
}

TEST(Norm, MakesRowsOfLengthOne) {
  const Tensor y = l2_normalize(Tensor::of<float>({2, 2}, {3, 4, 0, 0})).value();
  EXPECT_NEAR(y.data<float>()[0], 0.6F, 1e-6F);
  EXPECT_NEAR(y.data<float>()[1], 0.8F, 1e-6F);
  EXPECT_EQ(y.data<float>()[2], 0);
}

TEST(Norm, NamesWhatDoesNotFit) {
  const Var x = Tensor::zeros({2, 3});
  const Var two = Tensor::zeros({2}), three = Tensor::zeros({3});
  expect_error([&] { layer_norm(x, two, three); }, {"norm", "gamma", "(3)", "(2)"});
  expect_error([&] { layer_norm(x, three, two); }, {"norm", "beta", "(3)", "(2)"});
  expect_error([&] { rms_norm(Tensor::zeros({2, 3}, DType::i32)); }, {"norm", "i32"});
  expect_error([&] { post_norm(x, three, three, three); }, {"add_norm", "residual", "(2, 3)"});
  expect_error([&] { post_norm(x, x, three, three, {.dropout = 1}); }, {"add_norm", "[0, 1)", "1"});
}

TEST(Dropout, WithoutRandomNumbersIsTheInput) {
  const Var x = rising({3, 4});
  Rng rng;
  EXPECT_TRUE(dropout(x, 0.5, nullptr).value().same_memory(x.value()));
  EXPECT_TRUE(dropout(x, 0, &rng).value().same_memory(x.value()));
  EXPECT_EQ(rng.next_site, 0U);
}

TEST(Dropout, DropsOnTheWayBackWhatItDropped) {
  const Var x = Var::parameter(Tensor::full({1000}, 2));
  Rng rng{.seed = 1};
  const Var y = dropout(x, 0.25, &rng);
  const Tensor dx = backward(y, {.seed = Tensor::full({1000}, 2)})[x];
  EXPECT_TRUE(identical(dx, y.value()));
  const auto all = y.value().span<float>();
  EXPECT_NEAR(static_cast<double>(std::count(all.begin(), all.end(), 0.0F)), 250, 50);
}

TEST(Dropout, NamesABadProbability) {
  Rng rng;
  for (const double p : {-0.1, 1.0}) {
    expect_error([&] { dropout(Tensor::zeros({2}), p, &rng); }, {"dropout", "[0, 1)"});
  }
}

TEST(Embedding, NamesAnIdThatIsNotInTheTable) {
  const Var table = Tensor::zeros({5, 2});
  const auto at = [&](std::int32_t id) {
    embedding(table, Tensor::of<std::int32_t>({2}, {0, id}));
  };
  expect_error([&] { at(5); }, {"embedding", "id 5", "position 1", "5 rows"});
  expect_error([&] { at(-1); }, {"embedding", "id -1", "position 1"});
  expect_error([&] { embedding(table, Tensor::zeros({2})); }, {"embedding", "i32", "f32"});
  expect_error([&] { embedding(Tensor::zeros({5}), Tensor::zeros({0}, DType::i32)); },
               {"embedding", "table", "(5)"});
}

TEST(Embedding, HasAGradientOfTheRowsItUsed) {
  const Var table = Var::parameter(Tensor::zeros({1000, 2}));
  const Var y = embedding(table, Tensor::of<std::int32_t>({3}, {7, 2, 7}));
  Gradients gradients = backward(y, {.seed = Tensor::full({3, 2}, 1)});
  Gradient* gradient = gradients.find(table);
  ASSERT_TRUE(gradient->is_by_rows());
  gradient->make_compact();
  EXPECT_TRUE(identical(gradient->ids(), Tensor::of<std::int32_t>({2}, {2, 7})));
  EXPECT_TRUE(identical(gradient->rows(), Tensor::of<float>({2, 2}, {1, 1, 2, 2})));
}

}  // namespace
}  // namespace fovea
