#include "fovea/tasks/export_onnx.h"

#include "fovea/tasks/model_folder.h"
#include "fovea/tasks/task.h"

namespace fovea {

std::vector<std::filesystem::path> export_onnx(const std::filesystem::path& model,
                                               const std::filesystem::path& out) {
  try {
    const Task& task = task_of_model(model);
    FOVEA_CHECK(task.export_onnx, "models of the task \"", task.name, "\" are not written as ONNX");
    return task.export_onnx(model, out);
  } catch (const Error& error) {
    fail_in(model, error);
  }
}

}  // namespace fovea
