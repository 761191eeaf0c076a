#include "fovea/train/optimizers.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/autograd/apply.h"
#include "fovea/base/threads.h"
#include "fovea/train/adafactor.h"
#include "fovea/train/clip.h"

namespace fovea {
namespace {

/// A number that depends on each input with a gradient of our choice.
struct Given {
  static constexpr std::string_view name = "given";
  std::vector<Gradient> gradients;
  Tensor forward(const std::vector<Tensor>&) { return Tensor::zeros({}); }
  std::vector<Gradient> backward(const Tensor&) const { return gradients; }
};

Gradients given(const std::vector<Var>& vars, std::vector<Gradient> gradients) {
  return backward(apply(Given{std::move(gradients)}, vars));
}

Tensor normal(Shape shape, std::uint64_t seed) {
  Tensor t = Tensor::empty(shape);
  init::normal(1)(t, Draws{.seed = seed, .site = 7});
  return t;
}

constexpr Dim kRows = 501, kCols = 67;  // more than one thread's share

/// An embedding, a bias, and a parameter that the loss does not depend on.
struct Model {
  Params params{3};
  Var table = params.scope().param("table", {kRows, kCols}, init::normal(1));
  Var bias = params.scope().param("bias", {kCols}, init::normal(1));
  Var unused = params.scope().param("unused", {5}, init::normal(1));

  Gradients gradients(std::uint64_t step, bool by_rows) const {
    const auto id = [&](std::uint64_t i) {
      return static_cast<std::int32_t>((i * 37 + step * 11) % kRows);
    };
    const Tensor ids = Tensor::of<std::int32_t>({4}, {id(0), id(1), id(0), id(5)});
    Gradient rows = Gradient::by_rows({kRows, kCols}, ids, normal({4, kCols}, step));
    if (!by_rows) rows = rows.dense();
    return given({table, bias}, {rows, normal({kCols}, 100 + step)});
  }

  std::vector<Tensor> values() const {
    return {table.value().clone(), bias.value().clone(), unused.value().clone()};
  }
};

template <class Optimizer>
std::vector<Tensor> train(int steps, bool by_rows) {
  Model model;
  Optimizer optimizer(model.params);
  for (int step = 0; step < steps; ++step) optimizer.step(model.gradients(step, by_rows), 0.1);
  std::vector<Tensor> all = model.values();
  for (const NamedTensor& state : optimizer.states()) all.push_back(state.tensor);
  return all;
}

void expect_identical(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(identical(a[i], b[i])) << "tensor " << i;
}

struct Momentum : Sgd {
  explicit Momentum(Params& params) : Sgd(params, {.momentum = 0.9, .weight_decay = 0.01}) {}
};
struct Nesterov : Sgd {
  explicit Nesterov(Params& params) : Sgd(params, {.momentum = 0.9, .nesterov = true}) {}
};

template <class Optimizer>
class EveryOptimizer : public ::testing::Test {};
using All =
    ::testing::Types<Sgd, Momentum, Nesterov, Adam, AdamW, Adagrad, Adadelta, Lion, Adafactor>;
TYPED_TEST_SUITE(EveryOptimizer, All);

TYPED_TEST(EveryOptimizer, TakesRowsAsItTakesTheWhole) {
  expect_identical(train<TypeParam>(3, true), train<TypeParam>(3, false));
}

TYPED_TEST(EveryOptimizer, LeavesAloneWhatHasNoGradient) {
  const Model model;
  const std::vector<Tensor> after = train<TypeParam>(2, true);
  EXPECT_FALSE(identical(after[0], model.table.value()));
  EXPECT_FALSE(identical(after[1], model.bias.value()));
  EXPECT_TRUE(identical(after[2], model.unused.value()));
}

TYPED_TEST(EveryOptimizer, HasTheSameBitsOnAnyNumberOfThreads) {
  const int before = thread_count();
  set_thread_count(1);
  const std::vector<Tensor> one = train<TypeParam>(3, true);
  for (const int threads : {2, 4}) {
    set_thread_count(threads);
    expect_identical(train<TypeParam>(3, true), one);
  }
  set_thread_count(before);
}

TYPED_TEST(EveryOptimizer, TakesUpWhereItLeftOff) {
  Model model;
  TypeParam first(model.params);
  for (int step = 0; step < 2; ++step) first.step(model.gradients(step, true), 0.1);
  const std::vector<NamedTensor> saved = first.states();

  TypeParam second(model.params);
  second.load([&](const std::string& name) {
    for (const NamedTensor& state : saved) {
      if (state.name == name) return state.tensor;
    }
    return Tensor();
  });
  second.step(model.gradients(2, true), 0.1);
  const std::vector<Tensor> unbroken = train<TypeParam>(3, true);
  expect_identical(model.values(), {unbroken[0], unbroken[1], unbroken[2]});
  EXPECT_THROW(second.load([](const std::string&) { return Tensor(); }), Error);
}

TYPED_TEST(EveryOptimizer, GoesDownhill) {
  Params params(1);
  const Var x = params.scope().param("x", {10}, init::constant(1));
  TypeParam optimizer(params);
  for (int step = 0; step < 50; ++step) optimizer.step(given({x}, {x.value().clone()}), 0.05);
  for (const float value : x.value().span<float>()) EXPECT_LT(std::abs(value), 0.999);
}

TEST(ClipNorm, ShortensAllGradientsTogether) {
  Params params(1);
  const Var a = params.scope().param("a", {2}, init::zeros());
  const Var b = params.scope().param("b", {3, 2}, init::zeros());
  const Gradient rows = Gradient::by_rows({3, 2}, Tensor::of<std::int32_t>({2}, {1, 1}),
                                          Tensor::of<float>({2, 2}, {5, 0, 7, 0}));
  Gradients g = given({a, b}, {Tensor::of<float>({2}, {3, 4}), rows});
  EXPECT_EQ(clip_norm(g, params, 100), 13) << "rows of the same id are added first";
  EXPECT_TRUE(identical(g[a], Tensor::of<float>({2}, {3, 4})));
  EXPECT_EQ(clip_norm(g, params, 6.5), 13);
  EXPECT_TRUE(identical(g[a], Tensor::of<float>({2}, {1.5, 2})));
  EXPECT_TRUE(identical(g[b], Tensor::of<float>({3, 2}, {0, 0, 6, 0, 0, 0})));
}

TEST(ClipNorm, DoesNotScaleSharedMemoryTwice) {
  Params params(1);
  const Var a = params.scope().param("a", {2}, init::zeros());
  const Var b = params.scope().param("b", {2}, init::zeros());
  const Tensor shared = Tensor::of<float>({2}, {2, 2});
  Gradients g = given({a, b}, {shared, shared});
  EXPECT_EQ(clip_norm(g, params, 2), 4);
  EXPECT_TRUE(identical(g[a], Tensor::of<float>({2}, {1, 1})));
  EXPECT_TRUE(identical(g[b], Tensor::of<float>({2}, {1, 1})));
}

TEST(ClipNorm, TellsWhatIsNotFinite) {
  Params params(1);
  const Var a = params.scope().param("a", {2}, init::zeros());
  Gradients g = given({a}, {Tensor::of<float>({2}, {INFINITY, 1})});
  EXPECT_FALSE(std::isfinite(clip_norm(g, params, 1)));
  EXPECT_EQ(g[a].data<float>()[1], 1) << "changed";
}

}  // namespace
}  // namespace fovea
