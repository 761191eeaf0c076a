#include "fovea/tasks/recipe.h"

#include <algorithm>
#include <map>

#include "fovea/tasks/task.h"
#include "fovea/train/run_folder.h"

namespace fovea {

namespace {

namespace fs = std::filesystem;

/// Empty where the system does not tell.
fs::path executable() {
  std::error_code none;
  return fs::read_symlink("/proc/self/exe", none);
}

/// All names of recipes in the folders, by name; of equal ones the first.
std::map<std::string, fs::path> recipes_in(std::span<const fs::path> folders) {
  std::map<std::string, fs::path> found;
  for (const fs::path& folder : folders) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      const fs::path path = entry.path() / "recipe.toml";
      if (fs::exists(path)) found.emplace(entry.path().filename().string(), path);
    }
  }
  return found;
}

}  // namespace

std::vector<fs::path> recipe_folders() {
  std::vector<fs::path> folders = {"recipes"};
  const fs::path program = executable();
  for (fs::path at = program.parent_path(); at != at.root_path(); at = at.parent_path()) {
    folders.push_back(at / "share" / "fovea" / "recipes");
    folders.push_back(at / "recipes");
  }
  std::vector<fs::path> there;
  for (const fs::path& folder : folders) {
    const auto same = [&](const fs::path& other) { return fs::equivalent(folder, other); };
    if (fs::is_directory(folder) && std::none_of(there.begin(), there.end(), same)) {
      there.push_back(folder);
    }
  }
  return there;
}

fs::path find_recipe(const std::string& recipe) {
  const fs::path given(recipe);
  if (fs::is_regular_file(given)) return given;
  if (fs::exists(given / "recipe.toml")) return given / "recipe.toml";
  const std::string expected =
      ": no recipe there; expected a folder with recipe.toml, a .toml file, or the name of a "
      "recipe that comes with Fovea";
  FOVEA_CHECK(given.filename() == given, recipe, expected, "; `fovea recipes` lists them");
  const auto known = recipes_in(recipe_folders());
  if (const auto found = known.find(recipe); found != known.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [name, path] : known) names.push_back(name);
  fail(recipe, expected, suggestion(recipe, names));
}

std::vector<ListedRecipe> list_recipes(std::span<const fs::path> folders) {
  std::vector<ListedRecipe> all;
  for (const auto& [name, path] : recipes_in(folders)) {
    ListedRecipe one{.name = name, .path = path};
    try {
      one.header = RecipeFile::open(path.string()).header();
    } catch (const Error& error) {
      one.error = error.what();
    }
    all.push_back(std::move(one));
  }
  return all;
}

RecipeFile RecipeFile::open(const std::string& recipe, const std::vector<std::string>& settings) {
  const fs::path path = find_recipe(recipe);
  RecipeFile file{.path = path, .json = parse_toml_file(path), .settings = settings};
  for (const std::string& setting : settings) set_value(file.json, setting);
  FOVEA_CHECK(file.json.contains("task"), path.string(),
              ": says no task; for example: task = \"translate\"");
  try {
    read_config(file.json["task"], file.task, "task");
    task_named(file.task);
  } catch (const Error& error) {
    throw blamed(error, settings, path.string());
  }
  return file;
}

RecipeHeader RecipeFile::header() const {
  Json own = Json::object();
  const Json keys = write_config(RecipeHeader{});
  for (const auto& [key, value] : keys.items()) {
    if (json.contains(key)) own[key] = json[key];
  }
  RecipeHeader header;
  read_config(own, header, path.string());
  return header;
}

Json model_config(const std::filesystem::path& folder, const std::vector<std::string>& settings) {
  const std::filesystem::path path = folder / "config.json";
  FOVEA_CHECK(
      std::filesystem::exists(path) || !RunFolder(folder).stands_aside(), folder.string(),
      ": the run there was being overwritten by one that ended before its first checkpoint; ",
      "`fovea train --resume` with the same --out brings it back");
  FOVEA_CHECK(std::filesystem::exists(path), folder.string(),
              ": no model there; expected a folder with config.json and model.safetensors, as ",
              "`fovea train` writes it");
  Json json = parse_json_file(path);
  FOVEA_CHECK(json.is_object() && json.contains("task"), path.string(),
              ": says no task; it was not written by Fovea");
  json.erase(tokenizers_key);
  for (const std::string& setting : settings) {
    const std::string table = setting.substr(0, setting.find_first_of(".="));
    FOVEA_CHECK(json.contains(table), "setting '", setting, "': a model of the task ", json["task"],
                " has no '", table, "'");
    set_value(json, setting);
  }
  return json;
}

}  // namespace fovea
