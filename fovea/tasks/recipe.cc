#include "fovea/tasks/recipe.h"

namespace fovea {

RecipeFile RecipeFile::open(const std::filesystem::path& given,
                            const std::vector<std::string>& settings) {
  namespace fs = std::filesystem;
  const fs::path path = fs::is_directory(given) ? given / "recipe.toml" : given;
  FOVEA_CHECK(fs::exists(path), given.string(), ": no recipe there; expected a folder with ",
              "recipe.toml or a .toml file; `fovea recipes` lists those that come with Fovea");
  RecipeFile file{.path = path, .json = parse_toml_file(path)};
  for (const std::string& setting : settings) set_value(file.json, setting);
  FOVEA_CHECK(file.json.contains("task"), path.string(),
              ": says no task; for example: task = \"translate\"");
  read_config(file.json["task"], file.task, path.string() + ": task");
  return file;
}

Json model_config(const std::filesystem::path& folder, const std::vector<std::string>& settings) {
  const std::filesystem::path path = folder / "config.json";
  FOVEA_CHECK(std::filesystem::exists(path), folder.string(),
              ": no model there; expected a folder with config.json and model.safetensors, as ",
              "`fovea train` writes it");
  Json json = parse_json_file(path);
  FOVEA_CHECK(json.is_object() && json.contains("task"), path.string(),
              ": says no task; it was not written by Fovea");
  for (const std::string& setting : settings) set_value(json, setting);
  return json;
}

TaskKind task_of_model(const std::filesystem::path& folder) {
  TaskKind task{};
  read_config(model_config(folder)["task"], task, (folder / "config.json").string() + ": task");
  return task;
}

}  // namespace fovea
