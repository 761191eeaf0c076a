#include "fovea/tasks/export_hub.h"

#include "fovea/tasks/folder_in_making.h"
#include "fovea/tasks/model_folder.h"
#include "fovea/tasks/task.h"

namespace fovea {

HubExported export_hub(const std::filesystem::path& model, const std::filesystem::path& out) {
  const FolderInMaking folder(out);
  try {
    const Task& task = task_of_model(model);
    FOVEA_CHECK(task.export_hub, "models of the task \"", task.name,
                "\" cannot be written as Hugging Face's");
    HubExported exported = task.export_hub(model, folder.path());
    folder.done();
    return exported;
  } catch (const Error& error) {
    fail_in(model, error);
  }
}

}  // namespace fovea
