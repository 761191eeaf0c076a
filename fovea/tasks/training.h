/// A recipe that a command can train, whatever its task is.
#pragma once

#include <filesystem>
#include <memory>

#include "fovea/data/split.h"
#include "fovea/tasks/recipe.h"
#include "fovea/train/trainer.h"
#include "fovea/train/workload.h"

namespace fovea {

class Training {
 public:
  virtual ~Training() = default;

  /// Reads the recipe into the struct of its task, and looks whether that can be trained.
  static std::unique_ptr<Training> of(const RecipeFile& file);

  /// Every setting, also those that the recipe leaves to defaults.
  virtual Json settings() const = 0;
  virtual const TrainConfig& config() const = 0;
  /// Whether the recipe has such data.
  virtual bool has(Part part) const = 0;
  /// Reads the data, learns what must be known before training (tokenizers) and draws the model.
  /// `folder`: of the run; a run that is resumed takes what is there.
  virtual std::unique_ptr<Workload> workload(const std::filesystem::path& folder,
                                             bool resume) const = 0;
};

}  // namespace fovea
