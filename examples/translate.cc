// Loads a trained model, translates a line and shows which words of it each word looked at.
//
//   fovea train multi30k-en-de
//   build/release/examples/translate runs/multi30k-en-de "A dog runs on the beach."
#include <algorithm>
#include <cstdio>

#include "fovea/inspect/run_record.h"
#include "fovea/inspect/terminal.h"
#include "fovea/tasks/runner.h"

using namespace fovea;

int main(int count, char** values) {
  if (count != 3) {
    std::fprintf(stderr, "translate MODEL TEXT\n");
    return 2;
  }
  try {
    const std::unique_ptr<Runner> model = Runner::load(values[1]);
    const std::vector<std::string> lines = {values[2]};
    const std::string translation = model->run(lines, {})[0].text;

    // Once more through the model, now that the translation is known, to see where it looked.
    const RunRecord run = model->record(lines, {&translation, 1}, {.words = true})[0];
    std::printf("%s\n%s", translation.c_str(), terminal_map(alignment_map(run)).c_str());

    const RunRecord::Layer& layer = run.layer(run.alignment->layer);
    const auto& sources = run.tokens(layer.keys);
    for (Dim row = 0; row < layer.rows; ++row) {
      std::vector<float> weights(sources.size());
      layer.add_mean(row, weights);
      const auto largest = std::max_element(weights.begin(), weights.end());
      std::printf("%s: %s\n", run.tokens(layer.queries)[static_cast<std::size_t>(row)].c_str(),
                  sources[static_cast<std::size_t>(largest - weights.begin())].c_str());
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "translate: %s\n", error.what());
    return 1;
  }
}
