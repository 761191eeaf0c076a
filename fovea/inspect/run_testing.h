/// Small runs for tests.
#pragma once

#include "fovea/inspect/run_record.h"
#include "fovea/ops/op_samples.h"

namespace fovea {

/// What a probe saw of two sequences of 1 and `queries` queries, 2 and `keys` keys, with two heads.
inline Probe probe_of(const ProbeConfig& config, Dim queries = 3, Dim keys = 4, int seed = 1) {
  Probe probe(config);
  const Segments q_rows = Segments::of_lengths({1, queries}),
                 k_rows = Segments::of_lengths({2, keys});
  const Tensor q = normal_sample({q_rows.rows(), 8}, seed),
               k = normal_sample({k_rows.rows(), 8}, 2);
  probe.watch("decoder.3.cross", 2, q_rows, k_rows, [&](AttendCapture* capture) {
    return attend(q, k, k, q_rows, k_rows, {.heads = 2, .capture = capture});
  });
  return probe;
}

/// A run over two sequences: a cross layer and, of the target alone, two layers of self attention.
inline RunRecord sample_run(const ProbeConfig& config = {}) {
  RunRecord run{.model = "m",
                .task = "translate",
                .input = "a b",
                .output = "x",
                .sequences = {{"source", {"a", "b", "c", "d"}}, {"target", {"x", "y", "z"}}}};
  for (int layer = 0; layer < 2; ++layer) {
    run.add(probe_of(config, 3, 3, 5 + layer).records()[0], 1, "target", "target");
    run.layers.back().name = concat("decoder.", layer, ".self");
  }
  run.add(probe_of(config).records()[0], 1, "target", "source");
  run.align("decoder.3.cross");
  return run;
}

}  // namespace fovea
