#include <algorithm>

#include "fovea/tasks/recipe.h"
#include "fovea/tasks/runner.h"
#include "fovea/tasks/task.h"
#include "fovea/tasks/training.h"

namespace fovea {

extern const Task translate_task, classify_task, cloze_task, language_task, tag_task, answer_task,
    elmo_task, mask_task, classify_image_task, embed_task;

namespace {

/// Every task; a new one is a name above and here, and its files in CMakeLists.txt.
constexpr const Task* known_tasks[] = {
    &translate_task, &classify_task, &cloze_task, &language_task,       &tag_task,
    &answer_task,    &elmo_task,     &mask_task,  &classify_image_task, &embed_task};

}  // namespace

std::span<const Task* const> all_tasks() { return known_tasks; }

const Task& task_named(std::string_view name) {
  std::vector<std::string> names;
  for (const Task* task : all_tasks()) {
    if (task->name == name) return *task;
    names.emplace_back(task->name);
  }
  std::string known;
  for (const std::string& one : names) known += (known.empty() ? "" : ", ") + one;
  fail(ErrorKind::bad_setting, "task: expected one of ", known, ", found \"", name, "\"",
       suggestion(std::string(name), names));
}

const Task& task_of_model(const std::filesystem::path& folder) {
  std::string name;
  read_config(model_config(folder)["task"], name, (folder / "config.json").string() + ": task");
  try {
    return task_named(name);
  } catch (const Error& error) {
    fail(ErrorKind::bad_file, (folder / "config.json").string(), ": ", error.what());
  }
}

std::unique_ptr<Training> Training::of(const RecipeFile& file) {
  return task_named(file.task).training(file);
}

std::unique_ptr<Runner> Runner::load(const std::filesystem::path& folder,
                                     const std::vector<std::string>& settings) {
  return task_of_model(folder).load(folder, settings);
}

}  // namespace fovea
