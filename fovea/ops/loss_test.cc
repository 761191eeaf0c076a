#include "fovea/ops/loss.h"

#include <cmath>

#include "fovea/autograd/backward.h"
#include "fovea/base/arena.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/expect_error.h"
#include "fovea/ops/linear.h"
#include "fovea/ops/loss_samples.h"
#include "fovea/ops/reduce.h"

namespace fovea {
namespace {

TEST(CrossEntropy, OfEqualLogitsIsTheLogOfTheirNumber) {
  const Var x = Tensor::zeros({3, 8});
  EXPECT_NEAR(cross_entropy(x, some_targets({0, 7, -1})).item(), std::log(8), 1e-6);
  EXPECT_NEAR(cross_entropy(x, some_targets({0, 7, -1}), {.reduction = Reduction::sum}).item(),
              2 * std::log(8), 1e-6);
  EXPECT_EQ(cross_entropy(x, some_targets({-1, -1, -1})).item(), 0);
}

// Rows enough for several blocks.
TEST(LinearCrossEntropy, EqualsItsParts) {
  const Dim rows = 400, classes = 17000;
  Tensor targets = Tensor::empty({rows}, DType::i32);
  for (Dim i = 0; i < rows; ++i) {
    targets.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(i * 37 % classes) - 50;
  }
  const Var h = Var::parameter(normal_sample({rows, 6}, 1).to(DType::f32));
  const Var w = Var::parameter(normal_sample({classes, 6}, 2).to(DType::f32));
  const Var b = Var::parameter(normal_sample({classes}, 3).to(DType::f32));
  const CrossEntropyOptions options = {.smoothing = 0.1};

  Arena::shared().reset_peak();
  const std::size_t before = Arena::shared().stats().peak;
  const Var fused = scale(linear_cross_entropy(h, w, b, targets, options), 3);
  EXPECT_LT(Arena::shared().stats().peak - before, rows * classes * sizeof(float));
  const Var parts = scale(cross_entropy(linear(h, w, b), targets, options), 3);
  EXPECT_NEAR(fused.item(), parts.item(), 1e-5);
  {
    NoTape off;
    EXPECT_EQ(scale(linear_cross_entropy(h, w, b, targets, options), 3).item(), fused.item());
    const kernels::PackedMatrix<float> packed(w.value().view<float>(), true);
    const Var shape = Tensor::only_shape(w.shape());
    const Var given = linear_cross_entropy(h, shape, b, targets, options, &packed);
    EXPECT_EQ(scale(given, 3).item(), fused.item());
  }
  const Gradients expected = backward(parts), actual = backward(fused);
  for (const Var& parameter : {h, w, b}) {
    const Tensor e = expected[parameter], a = actual[parameter];
    for (Dim i = 0; i < e.size(); ++i) {
      ASSERT_NEAR(a.data<float>()[i], e.data<float>()[i], 1e-6F) << "element " << i;
    }
  }
}

TEST(Loss, NamesWhatDoesNotFit) {
  const Var x = Tensor::zeros({2, 3}), w = Tensor::zeros({4, 3});
  expect_error([&] { cross_entropy(x, some_targets({0})); }, {"cross_entropy", "(2)", "(1)"});
  expect_error([&] { cross_entropy(x, Tensor::zeros({2})); }, {"cross_entropy", "i32", "f32"});
  expect_error(
      [&] {
        cross_entropy(x, some_targets({0, 3}));
      },
      {"cross_entropy", "target 3", "position 1", "3 columns"});
  expect_error(
      [&] {
        cross_entropy(x, some_targets({0, 1}), {.smoothing = 1});
      },
      {"cross_entropy", "smoothing", "[0, 1)"});
  const Tensor targets = some_targets({0, 3});
  expect_error([&] { linear_cross_entropy(w, x, {}, targets); },
               {"linear_cross_entropy", "(2)", "targets"});
  expect_error([&] { linear_cross_entropy(x, w, x, targets); },
               {"linear_cross_entropy", "bias", "(4)", "(2, 3)"});
  expect_error(
      [&] {
        linear_cross_entropy(x, Tensor::zeros({4, 2}), {}, targets);
      },
      {"linear_cross_entropy", "2 columns", "(2, 3)"});
  expect_error([&] { binary_cross_entropy_with_logits(x, Tensor::zeros({3})); },
               {"binary_cross_entropy", "(2, 3)", "(3)"});
  expect_error([&] { kl_divergence(x, Tensor::zeros({3})); }, {"kl_divergence", "(2, 3)", "(3)"});
}

TEST(Loss, DivergenceIsZeroForEqualDistributions) {
  EXPECT_NEAR(kl_divergence(Tensor::of<double>({1, 2}, {std::log(0.25), std::log(0.75)}),
                            Tensor::of<double>({1, 2}, {0.25, 0.75}))
                  .item(),
              0, 1e-15);
  EXPECT_NEAR(kl_divergence(Tensor::of<double>({1, 2}, {std::log(0.5), std::log(0.5)}),
                            Tensor::of<double>({1, 2}, {0, 1}))
                  .item(),
              std::log(2), 1e-15);
}

TEST(BinaryCrossEntropy, DoesNotOverflow) {
  const Tensor targets = Tensor::of<float>({2}, {0, 1});
  const Var x = Tensor::of<float>({2}, {200, -200});
  EXPECT_EQ(binary_cross_entropy_with_logits(x, targets).item(), 200);
}

TEST(Reduce, FindsTheFirstOfTheLargest) {
  const Tensor x = Tensor::of<float>({2, 3}, {1, 5, 5, -1, -2, -3});
  EXPECT_TRUE(identical(argmax(x), Tensor::of<std::int32_t>({2}, {1, 0})));
  expect_error([&] { row_max(Tensor::zeros({2, 0})); }, {"row_max", "(2, 0)"});
  expect_error([&] { argmax(Tensor::zeros({2, 0})); }, {"argmax", "(2, 0)"});
}

}  // namespace
}  // namespace fovea
