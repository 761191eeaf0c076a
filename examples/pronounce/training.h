/// The loop that learns, and the figures that say how well.
#pragma once

#include "pronounce/model.h"
#include "pronounce/progress.h"

namespace pronounce {

struct TrainConfig {
  fovea::Dim batch = 512;  // rows of letters and sounds in a step
  double learning_rate = 2e-3;
  double warmup = 0.05;  // the part of the run in which the rate rises; then it falls to 0
  double smoothing = 0.1;
  double max_norm = 1;
  std::uint64_t seed = 1;
};

/// Until `progress` is at its end.
void train(const Model& model, fovea::Params& params, const Dictionary& dictionary,
           const TrainConfig& config, Progress& progress);

struct ErrorRates {
  std::size_t words = 0;
  double of_words = 0;   // no pronunciation of the dictionary is met
  double of_sounds = 0;  // changes that lead to the nearest one, by its length
};

/// Of the words that were held out.
ErrorRates test(const Model& model, const Dictionary& dictionary);

}  // namespace pronounce
