/// One LSTM layer, 256 to 256, over 64 sequences of real lengths: forward and backward, with the
/// gradients of the rows and of the weights.
#include <memory>

#include "bench/workload.h"
#include "fovea/autograd/backward.h"
#include "fovea/nn/recurrent.h"

namespace fovea::bench {
namespace {

constexpr Dim width = 256;

struct LstmRun {
  Segments segments = real_lengths(64);
  Params params{/*seed=*/1};
  Lstm layer{params.scope(), width, width};
  Var x = Var::parameter(normal({segments.rows(), width}));
  Tensor dy = normal({segments.rows(), width});

  void run() const { backward(layer(x, segments, {}).rows, {.seed = dy}); }
};

}  // namespace

std::vector<Workload> lstm_workloads() {
  return {{"lstm", [] {
             return std::vector<Part>{
                 {.run = [made = std::make_shared<LstmRun>()] { made->run(); }}};
           }}};
}

}  // namespace fovea::bench
