/// A recipe: a paper that runs. A folder with recipe.toml, which says what is trained on what and
/// how, and a README that says what came of it.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/config/config.h"

namespace fovea {

/// A figure of a paper and what was measured here, on the same test set in the same way.
struct RecipeFigure {
  std::string metric;  // "WER %", "BLEU"
  std::optional<double> published, measured;
  std::optional<double> minutes;  // of training
  std::string protocol;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("metric", metric);
    visit("published", published);
    visit("measured", measured);
    visit("minutes", minutes);
    visit("protocol", protocol);
  }
};

/// What every recipe says, whatever its task.
struct RecipeHeader {
  std::string task = "translate";  // its name in the table of tasks, task.h
  std::string title;
  std::string paper;
  std::vector<RecipeFigure> figures;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("task", task);
    visit("title", title);
    visit("paper", paper);
    visit("figures", figures);
  }
};

/// A recipe's settings, from a folder or a file, with `--set` applied: still to be read into the
/// struct of its task.
struct RecipeFile {
  std::filesystem::path path;  // of recipe.toml
  Json json;
  std::string task = "translate";
  std::vector<std::string> settings = {};  // that are in it

  /// By its folder, its file or its name: see find_recipe.
  static RecipeFile open(const std::string& recipe, const std::vector<std::string>& settings = {});
  /// Errors name the file, or the setting.
  template <class Recipe>
  Recipe read() const {
    Recipe recipe;
    try {
      read_config(json, recipe);
    } catch (const Error& error) {
      throw blamed(error, settings, path.string());
    }
    return recipe;
  }
  /// What it says whatever its task; the rest is not looked at.
  RecipeHeader header() const;
};

/// Where recipes are looked for by name: `recipes` in the current folder, then what belongs to the
/// executable: recipes/ above it in a source tree, share/fovea/recipes/ beside its bin/ when it is
/// installed. Only folders that are there.
std::vector<std::filesystem::path> recipe_folders();

/// The recipe.toml of a folder, a file, or the name of a recipe in one of recipe_folders(). A name
/// that is unknown is an Error that tells the nearest.
std::filesystem::path find_recipe(const std::string& recipe);

/// One recipe of a folder of recipes. One that cannot be read has an error instead of a header.
struct ListedRecipe {
  std::string name;
  std::filesystem::path path;
  RecipeHeader header = {};
  std::string error = {};
};
/// By name. Of two that have the same one, the one in the folder that comes first.
std::vector<ListedRecipe> list_recipes(std::span<const std::filesystem::path> folders);

/// Where config.json says which tokenizers the model was saved with: model_folder.h. It is no
/// setting.
constexpr const char* tokenizers_key = "tokenizers";

/// The config.json of a model's folder, which is the recipe it was trained by; with `--set`
/// applied.
Json model_config(const std::filesystem::path& folder,
                  const std::vector<std::string>& settings = {});

}  // namespace fovea
