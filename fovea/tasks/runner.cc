#include "fovea/tasks/runner.h"

#include "fovea/tasks/classify_runner.h"
#include "fovea/tasks/cloze_runner.h"
#include "fovea/tasks/recipe.h"
#include "fovea/tasks/translate_runner.h"

namespace fovea {

std::unique_ptr<Runner> Runner::load(const std::filesystem::path& folder,
                                     const std::vector<std::string>& settings) {
  switch (task_of_model(folder)) {
    case TaskKind::classify:
      return std::make_unique<ClassifyRunner>(folder, settings);
    case TaskKind::cloze:
      return std::make_unique<ClozeRunner>(folder, settings);
    case TaskKind::translate:
      return std::make_unique<TranslateRunner>(folder, settings);
  }
  fail(folder.string(), ": a model of an unknown task");
}

}  // namespace fovea
