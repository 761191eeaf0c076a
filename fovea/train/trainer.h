/// The loop of training: steps, validation, the best model kept, checkpoints.
///
///   TrainResult result = train(workload, {.steps = 10000, .clip = 1}, {.folder = "run"});
///
/// The same settings give the same bits, and so does a run that was stopped or killed and resumed.
/// Not so a run that `minutes` limits: where it ends is not the same each time.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fovea/config/config.h"
#include "fovea/kernels/products.h"
#include "fovea/train/any_optimizer.h"
#include "fovea/train/schedule.h"
#include "fovea/train/workload.h"

namespace fovea {

struct TrainConfig {
  std::uint64_t seed = 1;  // of dropout
  // Whichever comes first ends the run; 0: no limit.
  Dim steps = 0;
  Dim epochs = 0;
  double minutes = 0;
  OptimizerKind optimizer = OptimizerKind::adam;
  double beta1 = 0, beta2 = 0, eps = 0;  // 0: what the optimizer has by itself
  double weight_decay = 0;
  ScheduleConfig schedule = {};
  double clip = 0;  // the largest norm of all gradients; 0: any
  kernels::Products products = kernels::Products::float32;  // bfloat16: faster, where a CPU can
  Dim accumulate = 1;            // batches that make a step; an epoch's last step may have fewer
  double average = 0;            // decay of the running average of the weights; 0: none
  Dim average_checkpoints = 0;   // the best ones, of which the mean is tried at the end; 0: none
  Dim validate_every = 0;        // steps; 0: after each epoch
  Dim patience = 0;              // validations without a better figure that end the run; 0: any
  std::string watch = "loss";    // the figure that says which model is better
  double checkpoint_every = 10;  // minutes; there is also one after each validation
  Dim keep = 2;                  // last checkpoints
  Dim log_every = 50;            // steps

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("seed", seed);
    visit("steps", steps);
    visit("epochs", epochs);
    visit("minutes", minutes);
    visit("optimizer", optimizer);
    visit("beta1", beta1);
    visit("beta2", beta2);
    visit("eps", eps);
    visit("weight_decay", weight_decay);
    visit("schedule", schedule);
    visit("clip", clip);
    visit("products", products);
    visit("accumulate", accumulate);
    visit("average", average);
    visit("average_checkpoints", average_checkpoints);
    visit("validate_every", validate_every);
    visit("patience", patience);
    visit("watch", watch);
    visit("checkpoint_every", checkpoint_every);
    visit("keep", keep);
    visit("log_every", log_every);
  }
};

struct TrainOptions {
  std::filesystem::path folder;  // of the run: checkpoint.h
  bool resume = false;           // goes on from the newest checkpoint, if there is one
  bool overwrite = false;        // an earlier run in the folder is removed
  bool quiet = false;            // no progress
  /// What was set beside the recipe: kept in the folder for who resumes, from the first checkpoint
  /// on.
  std::optional<std::vector<std::string>> settings = {};
  /// All of it: what has changed since is told who resumes. By default the TrainConfig.
  Json recipe = {};
  /// Whether to save and stop now. Asked before and after each step.
  std::function<bool()> stop = {};
  /// Told each line of the log, those before a resume too, and what the workload shows before the
  /// first step and after each validation.
  std::function<void(const std::string& line)> watcher = {};
};

struct TrainResult {
  Dim steps = 0, epochs = 0;        // taken, complete
  bool stopped = false;             // by TrainOptions::stop
  std::optional<Figure> best = {};  // the watched figure of the model in the folder
  Dim best_step = 0;
};

/// An Error if a run may not begin, or go on, in its folder: to be known before data is read.
void check_folder(const TrainOptions& options);

/// In the end the parameters are the last ones; the best model is in the folder.
TrainResult train(Workload& work, const TrainConfig& config, const TrainOptions& options);

}  // namespace fovea
