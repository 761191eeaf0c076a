// Two sequences attend to themselves, and a probe sees how.
#include <fovea/attention/probe.h>
#include <fovea/autograd/backward.h>
#include <fovea/ops/attend.h>

#include <cstdio>

int main() {
  using namespace fovea;
  const Segments segments = Segments::of_lengths({2, 3});
  const Var qkv = Var::parameter(Tensor::full({5, 12}, 0.5));
  Probe probe;
  const Var out = probe.watch("layer", 1, segments, segments, [&](AttendCapture* capture) {
    return attend_packed(qkv, segments, {.heads = 1, .causal = true, .capture = capture});
  });
  const Gradients gradients = backward(out, {.seed = Tensor::full(out.shape(), 1)});
  const Tensor weights = probe.find("layer")->matrix(1, 0);
  const float third = weights.view<float>()[2][0];
  std::printf("weight of the first key for the last query: %.4f\n", third);
  return third > 0.3333F && third < 0.3334F && gradients[qkv].size() == 60 ? 0 : 1;
}
