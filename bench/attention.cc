/// Attention alone, forward and backward: 8 heads of 64.
#include <memory>

#include "bench/workload.h"
#include "fovea/kernels/attend.h"

namespace fovea::bench {
namespace {

constexpr Dim heads = 8;
constexpr Dim width = heads * 64;

struct Attention {
  Segments segments;
  kernels::AttendOptions<float> options;
  Tensor q, k, v, dy;    // (N, H*D)
  Tensor y, dq, dk, dv;  // (N, H*D)
  Tensor lse;            // (N, H)

  Attention(Dim length, bool causal)
      : segments(Segments::uniform(std::max<Dim>(1, 1024 / length), length)),
        options{.heads = heads, .kv_heads = heads, .scale = 0.125F, .causal = causal} {
    const Shape shape = {segments.rows(), width};
    for (Tensor* t : {&q, &k, &v, &dy}) *t = normal(shape);
    for (Tensor* t : {&y, &dq, &dk, &dv}) *t = Tensor::empty(shape);
    lse = Tensor::empty({segments.rows(), heads});
  }

  void run() {
    const kernels::AttendInput<float> input = {q.view<float>(), k.view<float>(), v.view<float>(),
                                               segments.offsets(), segments.offsets()};
    kernels::attend(input, options, y.mutable_view<float>(), lse.mutable_data<float>());
    kernels::attend_backward(
        input, options, y.view<float>(), lse.data<float>(), dy.view<float>(),
        {dq.mutable_view<float>(), dk.mutable_view<float>(), dv.mutable_view<float>()});
  }
};

std::vector<Part> attention(Dim length, bool causal) {
  return {{.run = [a = std::make_shared<Attention>(length, causal)] { a->run(); }}};
}

std::vector<Part> attention_memory() {
  Attention(128, false).run();
  begin_growth();
  return attention(8192, false);
}

}  // namespace

std::vector<Workload> attention_workloads() {
  std::vector<Workload> all = {{"attention-8192-memory", attention_memory}};
  for (const Dim length : {128, 512, 2048, 8192}) {
    const std::string name = "attention-" + std::to_string(length);
    all.push_back({name, [=] { return attention(length, false); }});
    all.push_back({name + "-causal", [=] { return attention(length, true); }});
  }
  return all;
}

}  // namespace fovea::bench
