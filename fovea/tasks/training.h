/// A recipe that a command can train, whatever its task is.
#pragma once

#include <filesystem>
#include <memory>

#include "fovea/tasks/data_parts.h"
#include "fovea/tasks/pretrained.h"
#include "fovea/tasks/recipe.h"
#include "fovea/train/limits.h"
#include "fovea/train/trainer.h"
#include "fovea/train/workload.h"

namespace fovea {

class Training {
 public:
  virtual ~Training() = default;

  /// Reads the recipe into the struct of its task, and checks that it can be trained.
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

/// Of a task whose workload is made of a located recipe and a place: Work(recipe, place).
/// T says T::Recipe, T::complete(recipe); a free function check(recipe) refuses what no model can
/// have, before data is read: an Error that names the key, what was expected and what was found.
template <class T, class Work>
class TrainingOf : public Training {
 public:
  explicit TrainingOf(const RecipeFile& file)
      : base_(file.path.parent_path()), recipe_(file.read<typename T::Recipe>()) {
    T::complete(recipe_);
    check_patience(recipe_.train, has_part(recipe_.data, Part::dev));
    check(recipe_);
  }

  Json settings() const override { return write_config(recipe_); }
  const TrainConfig& config() const override { return recipe_.train; }
  bool has(Part part) const override { return has_part(recipe_.data, part); }
  std::unique_ptr<Workload> workload(const std::filesystem::path& folder,
                                     bool resume) const override {
    typename T::Recipe recipe = recipe_;
    T::locate(recipe, base_);
    return std::make_unique<Work>(recipe,
                                  RunPlace{.base = base_, .folder = folder, .resume = resume});
  }

 private:
  std::filesystem::path base_;  // the recipe's folder
  typename T::Recipe recipe_;
};

}  // namespace fovea
