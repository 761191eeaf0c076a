// A training step that has run before asks the system for nothing: no memory beyond what the arena
// already has, and no call of operator new.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "fovea/autograd/backward.h"
#include "fovea/base/arena.h"
#include "fovea/ops/embedding.h"
#include "fovea/ops/linear.h"
#include "fovea/ops/loss.h"
#include "fovea/ops/norm.h"
#include "fovea/ops/op_samples.h"

namespace {
std::atomic<long> news = 0;
}

// The address sanitizer has these for itself; what `new` is asked for is counted without it.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
void* operator new(std::size_t bytes) {
  ++news;
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#define FOVEA_NEWS_ARE_COUNTED 1
#else
#define FOVEA_NEWS_ARE_COUNTED 0
#endif

namespace fovea {
namespace {

Var parameter(Shape shape, std::uint64_t seed) {
  return Var::parameter(normal_sample(shape, seed, 0.1).to(DType::f32));
}

struct Model {
  Var table = parameter({500, 32}, 1);
  Var weight = parameter({32, 32}, 2), bias = parameter({32}, 3);
  Var gamma = parameter({32}, 4), beta = parameter({32}, 5);
  Var out = parameter({500, 32}, 6), out_bias = parameter({500}, 7);

  Var loss(const Tensor& ids, const Tensor& targets, Rng* rng) const {
    const Var x = embedding(table, ids, 5);    // (N, 32)
    const Var once = linear(x, weight, bias);  // (N, 32)
    const Var f = linear(once, weight, bias, {.activation = Activation::relu});
    const auto [z, y] = add_dropout_norm(f, x, gamma, beta, {.dropout = 0.1, .rng = rng});
    return linear_cross_entropy(y, out, out_bias, targets, {.smoothing = 0.1});
  }
};

void expect_steady(Dim rows) {
  if (!FOVEA_NEWS_ARE_COUNTED) GTEST_SKIP() << "sanitizers have operator new for themselves";
  ASSERT_GT(news, 0) << "calls are not counted";  // the test's own runner makes some
  const Model model;
  Tensor ids = Tensor::empty({rows}, DType::i32);
  for (Dim i = 0; i < ids.size(); ++i) {
    ids.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(i * 7 % 500);
  }
  Rng rng{.seed = 1};
  const Arena::Stats before = Arena::shared().stats();
  std::size_t from_system = 0;
  for (int step = 0; step < 5; ++step) {
    const long news_before = news;
    {
      const Var loss = model.loss(ids, ids, &rng);
      const Gradients gradients = backward(loss);
      ASSERT_EQ(gradients.size(), 7U);
    }
    const long news_in_step = news - news_before;
    const Arena::Stats after = Arena::shared().stats();
    EXPECT_EQ(after.blocks, before.blocks) << "left over by step " << step;
    EXPECT_EQ(after.in_use, before.in_use) << "left over by step " << step;
    if (step >= 2) {
      EXPECT_EQ(after.from_system, from_system) << "step " << step << " asked for more memory";
      EXPECT_EQ(news_in_step, 0) << "in step " << step;
    }
    from_system = after.from_system;
  }
}

TEST(SteadyMemory, OfATrainingStep) { expect_steady(300); }
TEST(SteadyMemory, OfAStepWithFewRows) { expect_steady(40); }

}  // namespace
}  // namespace fovea
