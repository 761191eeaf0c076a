#include "fovea/models/transformer_layer.h"

#include <gtest/gtest.h>

#include "fovea/attention/cache.h"
#include "fovea/autograd/backward.h"
#include "fovea/autograd/checkpoint.h"
#include "fovea/base/threads.h"
#include "fovea/ops/op_samples.h"

namespace fovea {
namespace {

TransformerLayerConfig small(NormPlace norm) {
  return {.attention = {.width = 16, .heads = 4, .dropout = 0.1},
          .hidden = 24,
          .feed_forward = {.dropout = 0.1},
          .norm = norm,
          .dropout = 0.1};
}

Tensor rows(Dim count, std::uint64_t seed) {
  return normal_sample({count, 16}, seed).to(DType::f32);
}

class Place : public ::testing::TestWithParam<NormPlace> {};

// One step at a time with a cache gives what the whole sequence gives.
TEST_P(Place, DecodesStepByStepWhatItSeesWhole) {
  Params params(1);
  const DecoderLayer layer(params.scope(), small(GetParam()));
  const Segments whole = Segments::of_lengths({5, 5}), sources = Segments::of_lengths({3, 6});
  const Tensor x = rows(10, 1), memory = rows(9, 2);
  NoTape off;
  const Tensor expected = layer(x, whole, {memory, sources}, {}).value();
  Cache cache(2);
  for (Dim t = 0; t < 5; ++t) {
    Tensor step = Tensor::empty({2, 16});
    for (Dim s = 0; s < 2; ++s) {
      std::copy_n(x.view<float>()[5 * s + t], 16, step.mutable_view<float>()[s]);
    }
    const Tensor y =
        layer(step, Segments::uniform(2, 1), {memory, sources}, {.cache = &cache}).value();
    for (Dim s = 0; s < 2; ++s) {
      for (Dim c = 0; c < 16; ++c) {
        ASSERT_NEAR(y.view<float>()[s][c], expected.view<float>()[5 * s + t][c], 2e-6);
      }
    }
  }
}

// A sequence's result has the same bits alone and among others.
TEST_P(Place, DoesNotDependOnTheBatch) {
  Params params(1);
  const EncoderLayer layer(params.scope(), small(GetParam()));
  const Tensor x = rows(20, 3);
  const Segments batch = Segments::of_lengths({7, 2, 11});
  const Tensor all = layer(x, batch, {}).value();
  for (Dim s = 0; s < 3; ++s) {
    const Tensor alone =
        layer(x.slice(batch.begin(s), batch.end(s)), Segments::of_lengths({batch.length(s)}), {})
            .value();
    EXPECT_TRUE(identical(alone, all.slice(batch.begin(s), batch.end(s)).clone()));
  }
}

/// All gradients of a step with dropout, in the order of the parameters.
std::vector<Tensor> step(NormPlace norm, bool checkpointed) {
  Params params(1);
  const EncoderLayer layer(params.scope(), small(norm));
  Rng rng{.seed = 5};
  const Segments segments = Segments::of_lengths({9, 4, 7});
  const auto block = [&](const std::vector<Var>& in) {
    return layer(in[0], segments, {.rng = &rng});
  };
  const Var x = Var::parameter(rows(20, 4));
  const Var y = checkpointed ? checkpoint(block, {x}, &rng) : block({x});
  const Gradients gradients = backward(y, {.seed = rows(20, 5)});
  std::vector<Tensor> all = {y.value(), gradients[x]};
  for (const Parameter& p : params.all()) all.push_back(gradients[p.var]);
  return all;
}

TEST_P(Place, CheckpointedIsTheSame) {
  const auto plain = step(GetParam(), false), saved = step(GetParam(), true);
  for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_TRUE(identical(plain[i], saved[i])) << i;
}

TEST_P(Place, AWholeStepHasTheSameBitsEachTimeAndOnAnyThreads) {
  const int before = thread_count();
  set_thread_count(1);
  const auto one = step(GetParam(), false);
  for (int threads : {1, 2, 4}) {
    set_thread_count(threads);
    const auto again = step(GetParam(), false);
    for (std::size_t i = 0; i < one.size(); ++i) EXPECT_TRUE(identical(one[i], again[i])) << i;
  }
  set_thread_count(before);
}

TEST_P(Place, EmptyBatchesWork) {
  Params params(1);
  const DecoderLayer layer(params.scope(), small(GetParam()));
  const Var y = layer(rows(0, 1), Segments(), {rows(0, 2), Segments()}, Pass());
  EXPECT_EQ(y.shape(), (Shape{0, 16}));
  EXPECT_NO_THROW(backward(y, {.seed = rows(0, 3)}));
}

INSTANTIATE_TEST_SUITE_P(Norms, Place, ::testing::Values(NormPlace::post, NormPlace::pre));

}  // namespace
}  // namespace fovea
