/// All that the program, the server and other languages know of a task: one entry in one table,
/// all_tasks.cc. What a task cannot do is a null function, refused with a message.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/config/config.h"

namespace fovea {

struct HubImport;  // import_hub.h
struct Imported;
struct HubExported;  // export_hub.h
class Runner;        // runner.h
class Training;      // training.h
struct RecipeFile;   // recipe.h

struct Task {
  std::string_view name;  // "classify": what recipes and config.json say
  std::unique_ptr<Training> (*training)(const RecipeFile&);
  std::unique_ptr<Runner> (*load)(const std::filesystem::path& model,
                                  const std::vector<std::string>& settings);

  /// Whether a config.json of Hugging Face's describes a model that is this task's by default, and
  /// what writes such a model to `out`.
  bool (*imports)(const Json& config) = nullptr;
  Imported (*import_hub)(const HubImport& from, const std::filesystem::path& out) = nullptr;
  /// Writes a model as Hugging Face lays it out.
  HubExported (*export_hub)(const std::filesystem::path& model,
                            const std::filesystem::path& out) = nullptr;
  /// Writes a model as ONNX; gives the files.
  std::vector<std::filesystem::path> (*export_onnx)(const std::filesystem::path& model,
                                                    const std::filesystem::path& out) = nullptr;
};

/// The table, in the order in which tasks are listed.
std::span<const Task* const> all_tasks();
/// An Error that names the nearest, if there is no such task.
const Task& task_named(std::string_view name);
/// That of the model in a folder.
const Task& task_of_model(const std::filesystem::path& folder);

}  // namespace fovea
