#include "fovea/autograd/checkpoint.h"

#include <gtest/gtest.h>

#include "fovea/autograd/backward.h"
#include "fovea/autograd/testing_ops.h"

namespace fovea {
namespace {

using testing_ops::multiply;
using testing_ops::parameter;

TEST(Checkpoint, HasTheSameValueAndGradients) {
  const Var x = parameter(3), weight = parameter(2), y = parameter(5);
  const auto block = [&](const std::vector<Var>& in) {
    return multiply(multiply(in[0], weight), in[0]);
  };
  const Var plain = multiply(block({multiply(x, x)}), y);
  const Var saved = multiply(checkpoint(block, {multiply(x, x)}), y);
  EXPECT_EQ(plain.item(), saved.item());
  const Gradients expected = backward(plain);
  std::vector<double> final_order;
  const Gradients found = backward(
      saved, {.on_final = [&](const Var& p, Gradient&) { final_order.push_back(p.item()); }});
  for (const Var& p : {x, weight, y}) EXPECT_EQ(found[p].item(), expected[p].item());
  EXPECT_EQ(final_order, (std::vector<double>{5, 2, 3}));
}

TEST(Checkpoint, AParameterMayBeAnInputToo) {
  const Var x = parameter(3);
  const Var y = checkpoint([&](const std::vector<Var>& in) { return multiply(in[0], x); }, {x});
  EXPECT_EQ(backward(y)[x].item(), 6);
}

TEST(Checkpoint, RefusesAValueThatNobodyNamed) {
  const Var x = parameter(3), square = multiply(x, x);
  const auto block = [&](const std::vector<Var>& in) { return multiply(in[0], square); };
  EXPECT_THROW(checkpoint(block, {x}), Error);
  EXPECT_THROW(checkpoint(block, {square}), Error) << "but not used from there";
}

TEST(Checkpoint, DrawsTheSameRandomNumbersAgain) {
  Rng rng{.seed = 9};
  const Var x = parameter(3);
  std::vector<double> drawn;
  const auto block = [&](const std::vector<Var>& in) {
    drawn.push_back(rng.next().uniform(0));
    return multiply(in[0], Tensor::full({}, drawn.back(), DType::f64));
  };
  const Var y = checkpoint(block, {x}, &rng);
  const std::uint64_t site_after = rng.next_site;
  rng.next();
  const double gradient = backward(y)[x].item();
  ASSERT_EQ(drawn.size(), 2U);
  EXPECT_EQ(gradient, drawn[0]);
  EXPECT_EQ(drawn[0], drawn[1]);
  EXPECT_EQ(rng.next_site, site_after + 1) << "going backward moved the generator";
}

TEST(Checkpoint, MakesNoTapeWhereNoGradientIsWanted) {
  const Var two(Tensor::full({}, 2, DType::f64));
  const auto square = [](const std::vector<Var>& in) { return multiply(in[0], in[0]); };
  EXPECT_FALSE(checkpoint(square, {two}).needs_gradient());
}

}  // namespace
}  // namespace fovea
