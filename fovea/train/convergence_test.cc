/// Small models that are trained: to a low loss, in parts as in one, and twice with the same bits.
#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/threads.h"
#include "fovea/nn/embedding.h"
#include "fovea/nn/feed_forward.h"
#include "fovea/ops/loss.h"
#include "fovea/ops/rows.h"
#include "fovea/train/clip.h"
#include "fovea/train/optimizers.h"

namespace fovea {
namespace {

constexpr Dim kModulus = 7;

/// (a + b) mod 7 from a and b: not linear, so that hidden units must be learned.
struct Problem {
  Tensor a = Tensor::empty({kModulus * kModulus}, DType::i32);
  Tensor b = a.clone(), sum = a.clone();

  Problem() {
    for (Dim i = 0; i < a.size(); ++i) {
      a.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(i / kModulus);
      b.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(i % kModulus);
      sum.mutable_data<std::int32_t>()[i] =
          static_cast<std::int32_t>((i / kModulus + i % kModulus) % kModulus);
    }
  }
  Dim size() const { return a.size(); }
};

struct Model {
  Embedding embed;
  FeedForward hidden;
  Linear out;

  explicit Model(Scope s, double dropout = 0)
      : embed(s / "embed", kModulus, 16),
        hidden(s / "hidden", 32, 64, {.activation = Activation::gelu, .dropout = dropout}),
        out(s / "out", 32, kModulus) {}

  /// The sum over examples [begin, end).
  Var loss(const Problem& p, Dim begin, Dim end, const Pass& pass) const {
    const Var x =
        concat_columns({embed(p.a.slice(begin, end)), embed(p.b.slice(begin, end))});  // (N, 32)
    return cross_entropy(out(hidden(x, pass)), p.sum.slice(begin, end),
                         {.reduction = Reduction::sum});
  }
};

TEST(Convergence, AModelLearnsToAddModuloSeven) {
  const Problem problem;
  Params params(1);
  const Model model(params.scope());
  AdamW optimizer(params);
  double loss = 0;
  for (int step = 0; step < 200; ++step) {
    const Var total = model.loss(problem, 0, problem.size(), {});
    loss = total.item() / static_cast<double>(problem.size());
    Gradients gradients = backward(total);
    ASSERT_TRUE(std::isfinite(clip_norm(gradients, params, 1)));
    optimizer.step(gradients, 0.01);
  }
  EXPECT_LT(loss, 0.01);
}

/// Losses that are sums, gradients that are added: small batches give the large batch's gradient,
/// up to the rounding of sums in another order, and no more is promised.
TEST(Convergence, SmallBatchesAddUpToALargeOne) {
  for (const auto& [dtype, tolerance] :
       {std::pair(DType::f32, 1e-5), std::pair(DType::f64, 1e-13)}) {
    const Problem problem;
    Params params(1, dtype);
    const Model model(params.scope());
    const Gradients whole = backward(model.loss(problem, 0, problem.size(), {}));
    Gradients parts;
    for (Dim at = 0; at < problem.size(); at += 10) {
      parts.add(backward(model.loss(problem, at, std::min(at + 10, problem.size()), {})));
    }
    EXPECT_EQ(parts.size(), whole.size());
    for (const Parameter& p : params.all()) {
      const Tensor a = parts[p.var].to(DType::f64), b = whole[p.var].to(DType::f64);
      double largest = 0;
      for (const double x : b.span<double>()) largest = std::max(largest, std::abs(x));
      for (Dim i = 0; i < a.size(); ++i) {
        ASSERT_NEAR(a.data<double>()[i], b.data<double>()[i], tolerance * largest) << p.name;
      }
    }
  }
}

std::vector<Tensor> trained(std::uint64_t seed) {
  const Problem problem;
  Params params(seed);
  const Model model(params.scope(), 0.1);
  AdamW optimizer(params);
  Rng rng{.seed = seed};
  for (int step = 0; step < 10; ++step) {
    Gradients gradients;
    for (Dim at = 0; at < problem.size(); at += 25) {
      const Dim end = std::min(at + 25, problem.size());
      gradients.add(backward(model.loss(problem, at, end, {.rng = &rng})));
    }
    clip_norm(gradients, params, 1);
    optimizer.step(gradients, 0.01);
  }
  std::vector<Tensor> values;
  for (const Parameter& p : params.all()) values.push_back(p.var.value());
  return values;
}

TEST(Convergence, TheSameSeedGivesTheSameBits) {
  const int before = thread_count();
  const std::vector<Tensor> first = trained(5), other = trained(6);
  for (const int threads : {before, 1, 2, 4}) {
    set_thread_count(threads);
    const std::vector<Tensor> again = trained(5);
    for (std::size_t i = 0; i < first.size(); ++i) {
      EXPECT_TRUE(identical(first[i], again[i])) << threads << " threads, parameter " << i;
    }
  }
  set_thread_count(before);
  EXPECT_FALSE(identical(first[0], other[0]));
}

}  // namespace
}  // namespace fovea
