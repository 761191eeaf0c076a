#include "fovea/ops/linear.h"

#include "fovea/ops/elementwise.h"
#include "fovea/ops/expect_error.h"
#include "fovea/ops/matmul.h"

namespace fovea {
namespace {

TEST(Linear, IsXTimesWTransposedPlusB) {
  const Var x = Tensor::of<float>({1, 2}, {1, 2});
  const Var w = Tensor::of<float>({3, 2}, {1, 0, 0, 1, -1, -1});
  const Var b = Tensor::of<float>({3}, {10, 20, 1});
  EXPECT_TRUE(identical(linear(x, w, b).value(), Tensor::of<float>({1, 3}, {11, 22, -2})));
  EXPECT_TRUE(identical(linear(x, w, b, {.activation = Activation::relu}).value(),
                        Tensor::of<float>({1, 3}, {11, 22, 0})));
}

TEST(Linear, FusedActivationEqualsTheOpAfterIt) {
  const Var x = Tensor::of<float>({2, 2}, {1, 2, -1, 0.5F});
  const Var w = Var::parameter(Tensor::of<float>({3, 2}, {1, 0, 0, 1, -1, -1}));
  EXPECT_TRUE(identical(linear(x, w, {}, {.activation = Activation::gelu}).value(),
                        gelu(linear(x, w)).value()));
  NoTape off;
  EXPECT_TRUE(identical(linear(x, w, {}, {.activation = Activation::gelu}).value(),
                        gelu(linear(x, w)).value()));
}

TEST(Linear, NamesWhatDoesNotFit) {
  const Var x = Tensor::zeros({2, 5}), w = Tensor::zeros({3, 4});
  expect_error([&] { linear(x, w); }, {"linear", "4 columns", "(2, 5)"});
  expect_error(
      [&] {
        linear(Tensor::zeros({2, 4}), w, Tensor::zeros({4}));
      },
      {"linear", "bias", "(3)", "(4)"});
  expect_error(
      [&] {
        linear(Tensor::zeros({2, 4}), Tensor::zeros({4}));
      },
      {"linear", "(out, in)", "(4)"});
  expect_error([&] { linear(Tensor::zeros({2, 4}, DType::f64), w); }, {"linear", "f32", "f64"});
  expect_error(
      [&] {
        linear(Tensor::zeros({2, 4}, DType::i32), Tensor::zeros({3, 4}, DType::i32));
      },
      {"linear", "i32"});
}

TEST(Matmul, NamesWhatDoesNotFit) {
  const Var a = Tensor::zeros({2, 5});
  expect_error([&] { matmul(a, Tensor::zeros({4, 3})); }, {"matmul", "(2, 5)", "(4, 3)"});
  expect_error(
      [&] {
        matmul(a, Tensor::zeros({5, 3}), {.transpose_b = true});
      },
      {"matmul", "transposed"});
  expect_error([&] { matmul(a, Tensor::zeros({5, 3}, DType::f64)); }, {"matmul", "f32", "f64"});
  expect_error([&] { matmul(a, Tensor::zeros({5})); }, {"matmul", "(5)"});
}

}  // namespace
}  // namespace fovea
