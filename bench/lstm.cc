/// One LSTM layer, 256 to 256, over 64 sequences of real lengths: forward and backward, with the
/// gradients of the rows and of the weights.
#include <memory>

#include "bench/workload.h"
#include "fovea/autograd/backward.h"
#include "fovea/ops/recurrent.h"

namespace fovea::bench {
namespace {

constexpr Dim width = 256;

struct LstmRun {
  Segments segments = real_lengths(64);
  Var x = Var::parameter(normal({segments.rows(), width}));
  RecurrentWeights weights = {Var::parameter(normal({4 * width, width}, 0.05)),
                              Var::parameter(normal({4 * width, width}, 0.05)),
                              Var::parameter(normal({4 * width}, 0.05)),
                              Var::parameter(normal({4 * width}, 0.05))};
  Tensor dy = normal({segments.rows(), width});

  void run() const { backward(lstm_layer(x, segments, weights).rows, {.seed = dy}); }
};

}  // namespace

std::vector<Workload> lstm_workloads() {
  return {{"lstm", [] {
             return std::vector<Part>{
                 {.run = [made = std::make_shared<LstmRun>()] { made->run(); }}};
           }}};
}

}  // namespace fovea::bench
