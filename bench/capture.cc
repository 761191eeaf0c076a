/// What looking costs: the stack forward over 2 sequences of 512, with and without a probe.
#include <memory>
#include <optional>

#include "bench/stack.h"
#include "bench/workload.h"
#include "fovea/attention/probe.h"

namespace fovea::bench {
namespace {

struct Looking {
  Segments segments = Segments::uniform(2, 512);
  Params params{/*seed=*/1};
  EncoderStack stack = stack_of(params.scope(), {});
  Tensor x = normal({segments.rows(), 512});
  std::optional<Probe> probe;

  void run() {
    const NoTape inference;
    stack(x, segments, {.probe = probe ? &*probe : nullptr});
    if (probe) probe->clear();
  }
};

std::vector<Part> forward(const std::optional<ProbeConfig>& config) {
  auto made = std::make_shared<Looking>();
  if (config) made->probe.emplace(*config);
  return {{.run = [made] { made->run(); }}};
}

}  // namespace

std::vector<Workload> capture_workloads() {
  return {{"forward", [] { return forward({}); }},
          {"capture-off", [] { return forward(ProbeConfig{.where = "no such layer"}); }},
          {"capture-top8", [] { return forward(ProbeConfig{.keep = Keep::top, .top = 8}); }},
          {"capture-received", [] { return forward(ProbeConfig{.keep = Keep::received}); }},
          {"capture-all", [] { return forward(ProbeConfig{.keep = Keep::all}); }}};
}

}  // namespace fovea::bench
