#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "fovea/autograd/apply.h"
#include "fovea/autograd/backward.h"
#include "fovea/autograd/gradient_check.h"
#include "fovea/autograd/testing_ops.h"

namespace fovea {
namespace {

using testing_ops::multiply;
using testing_ops::parameter;

TEST(Backward, FollowsTheChainRuleOverSharedValues) {
  const Var x = parameter(3), y = parameter(4);
  const Var z = multiply(multiply(x, x), y);  // x^2 y
  EXPECT_EQ(z.item(), 36);
  const Gradients g = backward(z);
  EXPECT_EQ(g[x].item(), 24);
  EXPECT_EQ(g[y].item(), 9);
  EXPECT_EQ(g.size(), 2U);
  EXPECT_EQ(g.find(parameter(1)), nullptr);
  EXPECT_EQ(g[parameter(1)].item(), 0);
}

TEST(Backward, UsesSeveralOutputs) {
  const Var x = parameter(5);
  auto [two, three] = apply(testing_ops::TwoAndThree{}, x);
  EXPECT_EQ(backward(multiply(two, three))[x].item(), 60);  // 6 x^2
  auto [again, unused] = apply(testing_ops::TwoAndThree{}, x);
  EXPECT_EQ(backward(again)[x].item(), 2);
  EXPECT_TRUE(unused.needs_gradient());
}

TEST(Backward, MakesNoTapeWhereNoGradientIsWanted) {
  const Var constant(Tensor::full({}, 2, DType::f64));
  EXPECT_FALSE(multiply(constant, constant).needs_gradient());
  const Var x = parameter(3);
  {
    NoTape off;
    EXPECT_FALSE(multiply(x, x).needs_gradient());
  }
  EXPECT_TRUE(multiply(x, constant).needs_gradient());
  EXPECT_FALSE(multiply(x, x).detach().needs_gradient());
}

TEST(Backward, SaysWhatIsWrong) {
  const Var x = parameter(3);
  const Var z = multiply(x, x);
  backward(z);
  EXPECT_THROW(backward(z), Error) << "the tape is used up";
  EXPECT_THROW(backward(Var(Tensor::full({}, 1))), Error);
  const Var wide = Var::parameter(Tensor::zeros({2}, DType::f64));
  EXPECT_THROW(backward(multiply(wide, wide)), Error) << "not a single number";
  EXPECT_THROW(backward(multiply(x, x), {.seed = Tensor::zeros({2}, DType::f64)}), Error);
}

TEST(Backward, TellsWhenAGradientIsFinal) {
  const Var x = parameter(3), y = parameter(4);
  std::vector<double> seen;
  const Var z = multiply(multiply(x, x), y);
  backward(z, {.on_final = [&](const Var& p, Gradient& g) {
             seen.push_back(p.item());
             EXPECT_EQ(g.dense().item(), p.item() == 3 ? 24 : 9);
           }});
  EXPECT_EQ(seen, (std::vector<double>{4, 3})) << "y is done as soon as the last product is";
}

TEST(Backward, AddsUpOverSmallBatches) {
  const Var x = parameter(3), y = parameter(4);
  Gradients g = backward(multiply(x, x));
  g.add(backward(multiply(x, y)));
  EXPECT_EQ(g[x].item(), 10);
  EXPECT_EQ(g[y].item(), 3);
}

TEST(Backward, LongChainsNeedNoStack) {
  const Var x = parameter(1);
  Var z = x;
  for (int i = 0; i < 200000; ++i) z = multiply(z, x);
  EXPECT_EQ(backward(z)[x].item(), 200001);
  z = x;
  for (int i = 0; i < 200000; ++i) z = multiply(z, x);  // and is dropped without going backward
}

TEST(Backward, GivesItsMemoryBack) {
  const std::size_t before = Arena::shared().stats().blocks;
  {
    const Var x = parameter(3);
    const Var z = multiply(multiply(x, x), x);
    backward(z);
  }
  EXPECT_EQ(Arena::shared().stats().blocks, before);
}

TEST(Gradient, ByRowsIsTheSameAsWhole) {
  const auto rows = [](std::initializer_list<std::int32_t> ids,
                       std::initializer_list<double> values) {
    const auto count = static_cast<Dim>(ids.size());
    return Gradient::by_rows({4, 2}, Tensor::of<std::int32_t>({count}, ids),
                             Tensor::of<double>({count, 2}, values));
  };
  Gradient g = rows({2, 0, 2}, {1, 2, 3, 4, 5, 6});
  const Tensor expected = Tensor::of<double>({4, 2}, {3, 4, 0, 0, 6, 8, 0, 0});
  EXPECT_TRUE(identical(g.dense(), expected));
  g.make_compact();
  EXPECT_TRUE(identical(g.ids(), Tensor::of<std::int32_t>({2}, {0, 2})));
  EXPECT_TRUE(identical(g.dense(), expected));

  g.add(rows({3}, {7, 8}));
  EXPECT_TRUE(g.is_by_rows());
  const Tensor more = Tensor::of<double>({4, 2}, {3, 4, 0, 0, 6, 8, 7, 8});
  EXPECT_TRUE(identical(g.dense(), more));

  const Tensor ones = Tensor::full({4, 2}, 1, DType::f64);
  Gradient whole(ones);
  whole.add(g);
  Gradient other = g;
  other.add(Gradient(ones));
  EXPECT_TRUE(identical(whole.dense(), other.dense()));
  EXPECT_EQ(ones.data<double>()[0], 1) << "a tensor that others hold was written over";
}

struct Wrong {
  static constexpr std::string_view name = "wrong";
  Tensor x;
  Tensor forward(const Tensor& a) { return testing_ops::Multiply::product(x = a, a); }
  std::array<Tensor, 1> backward(const Tensor& dy) const {
    return {testing_ops::Multiply::product(dy, x)};  // half of what it should be
  }
};

int products = 0;

/// left' right, for a single column each.
Tensor product_of(const Tensor& left, const Tensor& right) {
  ++products;
  double sum = 0;
  for (Dim r = 0; r < left.rows(); ++r) sum += left.data<double>()[r] * right.data<double>()[r];
  return Tensor::full({1, 1}, sum, DType::f64);
}

Gradient by_factors(const std::vector<double>& left, const std::vector<double>& right) {
  const auto column = [](const std::vector<double>& numbers) {
    return Tensor::from<double>({static_cast<Dim>(numbers.size()), 1}, numbers);
  };
  return Gradient::by_factors(column(left), column(right), product_of);
}

TEST(Gradient, FactorsAreMultipliedOnce) {
  products = 0;
  Gradient g = by_factors({1, 2}, {3, 4});
  g.add(by_factors({5}, {6}));
  EXPECT_EQ(products, 0);
  EXPECT_EQ(g.dense().item(), 41);
  g.settle();
  g.settle();
  EXPECT_EQ(products, 2) << "once to look at it, once for good";
  EXPECT_EQ(g.dense().item(), 41);
  g.scale(2);
  EXPECT_EQ(g.dense().item(), 82);
}

TEST(Gradient, FactorsGoWithWholesAndRows) {
  const auto whole = [] { return Gradient(Tensor::full({1, 1}, 100, DType::f64)); };
  const auto rows = [] {
    return Gradient::by_rows({1, 1}, Tensor::of<std::int32_t>({2}, {0, 0}),
                             Tensor::of<double>({2, 1}, {1000, 2000}));
  };
  const auto factors = [] { return by_factors({1, 2}, {3, 4}); };
  const std::vector<std::function<Gradient()>> kinds = {whole, rows, factors};
  const std::vector<double> values = {100, 3000, 11};
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) {
      for (std::size_t c = 0; c < 3; ++c) {
        Gradient sum;
        for (const std::size_t kind : {a, b, c}) sum.add(kinds[kind]());
        EXPECT_EQ(sum.dense().item(), values[a] + values[b] + values[c]) << a << b << c;
        sum.settle();
        EXPECT_EQ(sum.dense().item(), values[a] + values[b] + values[c]) << a << b << c;
      }
    }
  }
}

TEST(GradientCheck, FindsWhatIsWrong) {
  const Tensor x = Tensor::of<double>({3}, {1, 2, 3});
  EXPECT_GT(check_gradients([](const auto& in) { return apply(Wrong{}, in[0]); }, {x}).worst, 0.1);
  EXPECT_LT(check_gradients([](const auto& in) { return multiply(in[0], in[0]); }, {x}).worst,
            1e-8);
}

}  // namespace
}  // namespace fovea
