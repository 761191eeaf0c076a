/// A step of training of the stack: forward, backward, Adam.
#include "bench/stack.h"

#include <memory>

#include "bench/workload.h"
#include "fovea/autograd/backward.h"
#include "fovea/train/optimizers.h"

namespace fovea::bench {
namespace {

constexpr StackConfig wide = {};
constexpr StackConfig narrow = {.width = 128, .heads = 4, .hidden = 256};

struct Training {
  StackConfig config;
  Segments segments;
  Params params;
  EncoderStack stack;
  Adam adam;
  Rng rng = {.seed = 1};
  Tensor x, dy;  // (N, E)

  Training(const StackConfig& config, Segments rows)
      : config(config),
        segments(std::move(rows)),
        params(/*seed=*/1),
        stack(stack_of(params.scope(), config)),
        adam(params, {.beta2 = 0.98, .eps = 1e-9}),
        x(normal({segments.rows(), config.width})),
        dy(normal({segments.rows(), config.width}, 1e-3)) {}

  void step() {
    const Var y = stack(x, segments, {.rng = &rng});
    adam.step(backward(y, {.seed = dy}), 1e-4);
  }

  /// Forward and twice that backward: products with weights, scores and weights times values.
  double flops() const {
    const Dim weights = config.width * (4 * config.width + 2 * config.hidden);
    Dim pairs = 0;
    for (Dim i = 0; i < segments.count(); ++i) pairs += segments.length(i) * segments.length(i);
    return 6.0 * static_cast<double>(config.layers) *
           static_cast<double>(segments.rows() * weights + 2 * pairs * config.width);
  }
};

std::vector<Part> training(const StackConfig& config, const Segments& segments) {
  auto made = std::make_shared<Training>(config, segments);
  return {{.run = [made] { made->step(); }, .flops = made->flops()}};
}

std::vector<Part> training_memory() {
  Training({.width = 64, .heads = 4, .hidden = 128}, Segments::uniform(4, 8)).step();
  begin_growth();
  return training(wide, equal_lengths());
}

}  // namespace

std::vector<Workload> stack_workloads() {
  return {{"stack512-equal", [] { return training(wide, equal_lengths()); }},
          {"stack512-real", [] { return training(wide, real_lengths(32)); }},
          {"stack512-memory", training_memory},
          {"stack128-equal", [] { return training(narrow, equal_lengths()); }},
          {"stack128-real", [] { return training(narrow, real_lengths(32)); }}};
}

}  // namespace fovea::bench
