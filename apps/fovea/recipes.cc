#include <cstdio>
#include <optional>

#include "commands.h"
#include "fovea/tasks/recipe.h"
#include "table.h"

namespace fovea::app {
namespace {

struct RecipesArguments {
  std::filesystem::path folder;
  bool json = false;
};

/// One object a figure, which is what programs compare; what is not known is null.
Json as_json(const std::vector<ListedRecipe>& recipes) {
  const auto known = [](std::optional<double> value) { return value ? Json(*value) : Json(); };
  Json all = Json::array();
  for (const ListedRecipe& recipe : recipes) {
    if (!recipe.error.empty()) {
      all.push_back({{"name", recipe.name}, {"error", recipe.error}});
      continue;
    }
    std::vector<RecipeFigure> figures = recipe.header.figures;
    if (figures.empty()) figures.emplace_back();
    for (const RecipeFigure& figure : figures) {
      all.push_back({{"name", recipe.name},
                     {"title", recipe.header.title},
                     {"metric", figure.metric},
                     {"published", known(figure.published)},
                     {"measured", known(figure.measured)},
                     {"minutes", known(figure.minutes)}});
    }
  }
  return all;
}

void print(const std::vector<ListedRecipe>& recipes) {
  const auto known = [](std::optional<double> value) { return value ? concat(*value) : "-"; };
  Table table({"recipe", "metric", "published", "measured", "minutes", "what"});
  for (const ListedRecipe& recipe : recipes) {
    if (!recipe.error.empty()) {
      table.add({recipe.name, "-", "-", "-", "-", "cannot be read: " + recipe.error});
      continue;
    }
    std::vector<RecipeFigure> figures = recipe.header.figures;
    if (figures.empty()) figures.emplace_back().metric = "-";
    for (const RecipeFigure& figure : figures) {
      const bool first = &figure == &figures.front();
      table.add({first ? recipe.name : "", figure.metric, known(figure.published),
                 known(figure.measured), known(figure.minutes), first ? recipe.header.title : ""});
    }
  }
  table.print();
}

void recipes_command(const RecipesArguments& options) {
  const std::vector<std::filesystem::path> folders =
      options.folder.empty() ? recipe_folders() : std::vector{options.folder};
  FOVEA_CHECK(!folders.empty(), ErrorKind::not_found,
              "no folder of recipes was found; name one by --folder");
  FOVEA_CHECK(std::filesystem::is_directory(folders.front()), ErrorKind::not_found,
              folders.front().string(), ": no such folder");
  const std::vector<ListedRecipe> recipes = list_recipes(folders);
  FOVEA_CHECK(!recipes.empty(), ErrorKind::not_found, folders.front().string(),
              ": no recipes there; expected folders with a recipe.toml in each");
  if (options.json) {
    std::printf("%s\n", as_json(recipes).dump(2).c_str());
  } else {
    print(recipes);
  }
}

}  // namespace

void add_recipes(CLI::App& app) {
  CLI::App* command = app.add_subcommand("recipes", "What there is to train, and how well it does");
  auto options = std::make_shared<RecipesArguments>();
  command->add_option("--folder", options->folder,
                      "Of recipes; default: ./recipes and those that came with the program");
  command->add_flag("--json", options->json, "As JSON: one object a figure");
  command->footer(
      "Published figures are of the paper or the model that a recipe's README names, measured\n"
      "ones of a run with the commands of that README; minutes are of that run's training.\n"
      "\n"
      "  fovea recipes\n"
      "  fovea train g2p-cmudict        trains one by its name");
  command->callback([options] { recipes_command(*options); });
}

}  // namespace fovea::app
