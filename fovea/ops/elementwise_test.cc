#include "fovea/ops/elementwise.h"

#include "fovea/autograd/backward.h"
#include "fovea/ops/expect_error.h"

namespace fovea {
namespace {

TEST(Elementwise, NamesWhatDoesNotFit) {
  const Var x = Tensor::zeros({2, 3});
  expect_error([&] { add(x, Tensor::zeros({3, 2})); }, {"add", "(2, 3)", "(3, 2)"});
  expect_error([&] { div(x, Tensor::zeros({2, 3}, DType::f64)); }, {"div", "f32", "f64"});
  expect_error([&] { add_row(x, Tensor::zeros({2})); }, {"add_row", "(3)", "(2)"});
  expect_error([&] { mul_row(x, Tensor::zeros({1, 3})); }, {"mul_row", "(3)", "(1, 3)"});
  expect_error([&] { mul_column(x, Tensor::zeros({3})); },
               {"mul_column", "(2, 1)", "(2, 3)", "(3)"});
  expect_error([&] { glu(x); }, {"glu", "even", "(2, 3)"});
  expect_error([&] { sigmoid(Tensor::zeros({2}, DType::i32)); }, {"sigmoid", "f32 or f64", "i32"});
}

TEST(Elementwise, LetsThroughSoMuchOfAGradient) {
  const Var x = Var::parameter(Tensor::of<float>({1, 2}, {3, -1}));
  const Var y = scale_gradient(x, 0.25);
  EXPECT_TRUE(identical(y.value(), x.value()));
  const Gradients gradients = backward(y, {.seed = Tensor::of<float>({1, 2}, {8, 4})});
  EXPECT_TRUE(identical(gradients[x], Tensor::of<float>({1, 2}, {2, 1})));
}

TEST(Elementwise, GatesOneHalfByTheOther) {
  const Var x = Tensor::of<float>({1, 2}, {3, 0});
  EXPECT_FLOAT_EQ(static_cast<float>(glu(x).item()), 1.5F);
  EXPECT_EQ(swiglu(x).item(), 0);
}

}  // namespace
}  // namespace fovea
