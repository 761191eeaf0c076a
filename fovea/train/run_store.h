/// A run on disk: its state and tensors are written to its folder and taken up from there.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fovea/train/average.h"
#include "fovea/train/phase.h"
#include "fovea/train/run_folder.h"
#include "fovea/train/train_state.h"
#include "fovea/train/trainer.h"

namespace fovea {

/// A phase, its parameters, and what changes in each step.
struct PhaseRun {
  Phase phase;
  TrainedParams params;
  PhaseOptimizer optimizer;
  std::optional<WeightAverage> average;
};

/// All that changes while a run goes on.
struct Run {
  Params* params;
  std::vector<PhaseRun> phases;
  TrainState state;

  /// Of all phases: no parameter has two.
  std::vector<WeightAverage*> averages();
};

class RunStore {
 public:
  using Warn = std::function<void(const std::string& line)>;

  /// Checks that the folder may be used as the options say, and prepares it.
  RunStore(const TrainConfig& config, const TrainOptions& options, Warn warn);
  /// Without a checkpoint of its own, a run that was overwritten is back in its place.
  ~RunStore();

  const RunFolder& folder() const { return folder_; }

  /// Takes up the newest checkpoint that is not damaged; false if there is none at all. Warns of
  /// damaged ones and of settings that differ from those the run began with.
  bool load(Run& run) const;
  /// Remembers the parameters as they are now as the best model, to be written by the next save.
  void keep_model(const Run& run);
  /// That model, if it is not yet on disk.
  void save_model();
  /// That, then a checkpoint; then older ones go. An Error leaves all that was on disk as it was.
  void save(const Run& run);
  /// The newest checkpoint, for messages: "there is no checkpoint" or its path.
  std::string newest() const;

  /// Makes the parameters the mean of the models of the best n checkpoints; false if there are not
  /// two of them.
  bool load_mean_of_best(Run& run) const;

 private:
  std::vector<Dim> best_steps(const TrainState& state) const;
  void prune(const TrainState& state) const;

  TrainConfig config_;
  RunFolder folder_;
  std::optional<RunLock> lock_;
  Json recipe_;
  std::optional<std::vector<std::string>> settings_;  // while they are not on disk
  Warn warn_;
  std::vector<NamedTensor> model_;  // the best one, while it is not on disk
  Dim model_step_ = 0;
};

}  // namespace fovea
