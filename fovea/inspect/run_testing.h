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

/// A model that reads a class token and 2 x 3 patches of an image of 4 x 6 grey pixels, in two
/// layers of self-attention with two heads. In the last layer the class token gives patch i (i + 1)
/// / 21 of its attention.
inline RunRecord image_run() {
  RunRecord run{.model = "vit",
                .task = "picture",
                .input = "ball.png",
                .output = "ball",
                .sequences = {{"patches", {"[class]", "1,1", "1,2", "1,3", "2,1", "2,2", "2,3"}}}};
  Image image{4, 6, 1, {}};
  for (int i = 0; i < 24; ++i) image.pixels.push_back(static_cast<std::uint8_t>(10 * i));
  run.media = {{"image", std::move(image)}};
  run.add(RunRecord::Places{"patches", "image", 1, RunRecord::Grid{2, 3}});
  constexpr Dim tokens = 7;
  for (int number = 0; number < 2; ++number) {
    RunRecord::Layer layer{.name = concat("encoder.", number, ".self"),
                           .queries = "patches",
                           .keys = "patches",
                           .heads = {0, 1},
                           .rows = tokens,
                           .cols = tokens,
                           .weights = std::vector<float>(2 * tokens * tokens, 1.0F / tokens)};
    for (Dim head = 0; number == 1 && head < 2; ++head) {
      for (Dim key = 0; key < tokens; ++key) {
        layer.weights[static_cast<std::size_t>(head * tokens * tokens + key)] =
            static_cast<float>(key) / 21;
      }
    }
    run.layers.push_back(std::move(layer));
  }
  run.align("encoder.1.self");
  return run;
}

}  // namespace fovea
