/// What the entries of most tasks are made of (task.h).
#pragma once

#include "fovea/tasks/example_workload.h"
#include "fovea/tasks/prediction_runner.h"
#include "fovea/tasks/task.h"
#include "fovea/tasks/training.h"

namespace fovea {

template <class T, class Work>
std::unique_ptr<Training> make_training(const RecipeFile& file) {
  return std::make_unique<TrainingOf<T, Work>>(file);
}

template <class R>
std::unique_ptr<Runner> load_runner(const std::filesystem::path& model,
                                    const std::vector<std::string>& settings) {
  return std::make_unique<R>(model, settings);
}

/// Of a task whose data are examples and which answers inputs one by one.
template <class T>
constexpr Task prediction_task() {
  return {.name = T::name,
          .training = make_training<T, ExampleWorkload<T>>,
          .load = load_runner<PredictionRunner<T>>};
}

}  // namespace fovea
