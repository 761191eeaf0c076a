/// What PyTorch has no layer for; the rest is held against it in tests/parity.
#include <gtest/gtest.h>

#include <cmath>

#include "fovea/nn/embedding.h"
#include "fovea/nn/feed_forward.h"
#include "fovea/nn/norm.h"

namespace fovea {
namespace {

Tensor rows(Dim count, Dim cols) {
  Tensor x = Tensor::empty({count, cols});
  init::normal(1)(x, Draws{.seed = 3, .site = 1});
  return x;
}

TEST(FeedForward, IsGatedAsShazeerHasIt) {
  Params params(1);
  const FeedForward swiglu(params.scope(), 5, 8,
                           {.activation = Activation::silu, .gated = true, .bias = false});
  EXPECT_EQ(params.size(), 3 * 5 * 8) << "without biases";
  const Var x = rows(3, 5);
  const Var gate = silu(linear(x, params.find("gate.weight")->var));
  const Var up = linear(x, params.find("linear1.weight")->var);
  const Var expected = linear(mul(gate, up), params.find("linear2.weight")->var);
  const Tensor actual = swiglu(x, {}).value();
  for (Dim i = 0; i < actual.size(); ++i) {
    EXPECT_NEAR(actual.data<float>()[i], expected.value().data<float>()[i], 1e-6);
  }
}

TEST(Linear, HasTheSameBitsWhenPacked) {
  Params params(1);
  const Linear layer(params.scope(), 37, 50, {.activation = Activation::gelu});
  const Var x = rows(9, 37);
  const Tensor before = layer(x).value();
  params.pack();
  EXPECT_TRUE(layer.packed->has_value());
  EXPECT_TRUE(identical(before, layer(x).value()));
  EXPECT_TRUE(identical(before.slice(4, 5).clone(), layer(x.value().slice(4, 5)).value()));
  params.unpack();
  EXPECT_FALSE(layer.packed->has_value());
}

TEST(Linear, HasItsWeightInPackedFormAloneWhenOnlyRun) {
  Params drawn(1);
  const Linear trained(drawn.scope(), 37, 50);
  Params params([&](const std::string& name) { return drawn.find(name)->var.value(); }, Use::run);
  const Linear layer(params.scope(), 37, 50);
  const Var x = rows(9, 37);
  EXPECT_TRUE(identical(trained(x).value(), layer(x).value()));
  EXPECT_FALSE(layer(x).needs_gradient());
  EXPECT_EQ(layer.weight.shape(), Shape({50, 37}));
  EXPECT_THROW(layer.weight.value().data<float>(), Error) << "only a shape";
  EXPECT_THROW(params.find("weight")->var.value().clone(), Error);
  EXPECT_TRUE(layer.bias.value().same_memory(drawn.find("bias")->var.value())) << "as it was given";
  EXPECT_EQ(params.size(), drawn.size());
  params.pack();
  EXPECT_TRUE(identical(trained(x).value(), layer(x).value()));
  EXPECT_THROW(params.unpack(), Error);
}

TEST(FeedForward, DropsHiddenUnitsOnlyWhenTraining) {
  Params params(1);
  const FeedForward layer(params.scope(), 5, 8, {.dropout = 0.5});
  const Var x = rows(3, 5);
  Rng rng;
  const Tensor quiet = layer(x, {}).value();
  EXPECT_TRUE(identical(quiet, layer(x, {}).value()));
  EXPECT_FALSE(identical(quiet, layer(x, {.rng = &rng}).value()));
  EXPECT_EQ(layer(rows(0, 5), {}).rows(), 0);
}

TEST(Embedding, IsScaledAsVaswaniHasIt) {
  Params params(1);
  const Embedding plain(params.scope() / "plain", 7, 16);
  Embedding scaled(params.scope() / "scaled", 7, 16, {.scaled = true});
  scaled.weight = plain.weight;
  const Tensor ids = Tensor::of<std::int32_t>({2}, {3, 5});
  const Tensor a = plain(ids).value(), b = scaled(ids).value();
  for (Dim i = 0; i < a.size(); ++i) EXPECT_EQ(b.data<float>()[i], 4 * a.data<float>()[i]);
}

TEST(BatchNorm, ReadsItsStatisticsOutsideOfTraining) {
  Params params(1);
  const BatchNorm layer(params.scope(), 5);
  const Tensor before = layer.running_mean.value().clone();
  layer(rows(6, 5), {});
  EXPECT_TRUE(identical(before, layer.running_mean.value()));
  Rng rng;
  layer(rows(6, 5), {.rng = &rng});
  EXPECT_FALSE(identical(before, layer.running_mean.value()));
}

}  // namespace
}  // namespace fovea
