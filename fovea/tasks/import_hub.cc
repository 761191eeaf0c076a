#include "fovea/tasks/import_hub.h"

#include "fovea/formats/safetensors.h"
#include "fovea/tasks/folder_in_making.h"
#include "fovea/tasks/model_folder.h"
#include "fovea/tasks/task.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

/// The task that a user names, or else the first whose models such a config.json describes.
const Task& importing_task(const HubImport& from) {
  if (!from.task.empty()) {
    const Task& task = task_named(from.task);
    FOVEA_CHECK(task.import_hub, "import: no model of the task \"", task.name,
                "\" can be made of a model of Hugging Face's");
    return task;
  }
  const Json config = parse_json_file(from.folder / "config.json");
  for (const Task* task : all_tasks()) {
    if (task->import_hub && task->imports(config)) return *task;
  }
  fail("config.json: no task has models of this type");
}

/// config.json of a model of ours is its recipe.
void expect_theirs(const fs::path& folder) {
  const Json config = parse_json_file(folder / "config.json");
  const bool ours = config.is_object() && config.contains("task") && !config.contains("model_type");
  FOVEA_CHECK(!ours, folder.string(), ": is a model of Fovea's already, with nothing to import; ",
              "`fovea run ", folder.string(), "` runs it");
}

}  // namespace

Dim write_weights(const Params& params, const fs::path& folder) {
  std::vector<NamedTensor> tensors;
  Dim numbers = 0;
  for (const Parameter& parameter : params.all()) {
    tensors.push_back({parameter.name, parameter.var.value()});
    numbers += parameter.var.value().size();
  }
  write_safetensors(folder / "model.safetensors", tensors);
  return numbers;
}

Imported import_hub(const HubImport& from) {
  FOVEA_CHECK(fs::is_directory(from.folder), from.folder.string(), ": is no folder; nothing is ",
              "fetched: docs/checkpoints.md tells how to come by one");
  const FolderInMaking folder(from.out);
  try {
    expect_theirs(from.folder);
    Imported imported = importing_task(from).import_hub(from, folder.path());
    folder.done();
    return imported;
  } catch (const Error& error) {
    fail_in(from.folder, error);
  }
}

}  // namespace fovea
