#include "fovea/tasks/recipe_check.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "fovea/base/table_check.h"
#include "fovea/train/limits.h"

namespace fovea {
namespace {

/// What every recipe has.
template <class Recipe>
void check_common(const Recipe& recipe) {
  check(recipe.batch);
  check(recipe.model);
}

void check_neighbours(const TranslateRecipe& recipe) {
  FOVEA_CHECK(recipe.text.dropout == 0,
              "text.dropout: with data.neighbours a source is read as it ",
              "is looked up; expected 0, found ", recipe.text.dropout);
  FOVEA_CHECK(recipe.data.join == 1,
              "data.join: neighbours are those of single lines; expected 1, found ",
              recipe.data.join);
  FOVEA_CHECK(lag_of(recipe.model.config) == 0,
              "model.lag: neighbours are those of a whole source; ", "expected 0, found ",
              lag_of(recipe.model.config));
  std::visit(
      [](const auto& model) {
        if constexpr (requires { model.attention.reach; }) {
          const ReachKind reach = model.attention.reach;
          FOVEA_CHECK(reach != ReachKind::local_m && reach != ReachKind::monotone,
                      "model.attention.reach: neighbours stand after their source; expected ",
                      "\"global\" or \"local-p\", found \"", name_of(reach), "\"");
        }
        if constexpr (requires { model.tied == Tied::all; }) {
          FOVEA_CHECK(model.tied != Tied::all, "model.tied: with data.neighbours sources have ids ",
                      "of their own; expected \"output\" or \"none\", found \"all\"");
        }
      },
      recipe.model.config);
}

bool names_a_file(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_';
  });
}

}  // namespace

void check(const AnswerRecipe& recipe) {
  TableCheck("data").sizes({{"longest", recipe.data.longest}});
  TableCheck("decode").sizes({{"longest", recipe.decode.longest}});
  check_common(recipe);
}

void check(const ClassifyRecipe& recipe) {
  TableCheck("data").sizes({{"longest", recipe.data.longest}});
  TableCheck("text").sizes({{"sentence", recipe.text.sentence}});
  TableCheck("text").shares({{"word_dropout", recipe.text.word_dropout}});
  TableCheck("objective").shares({{"smoothing", recipe.objective.smoothing}});
  check_common(recipe);
}

void check(const LanguageRecipe& recipe) { check_common(recipe); }

void check(const MaskRecipe& recipe) { check_common(recipe); }

void check(const TagRecipe& recipe) {
  TableCheck("text").not_negative("word_dropout", recipe.text.word_dropout);
  TableCheck("objective").not_negative("intent", recipe.objective.intent);
  check_common(recipe);
}

void check(const TranslateRecipe& recipe) {
  TableCheck("data").sizes({{"longest", recipe.data.longest}, {"join", recipe.data.join}});
  FOVEA_CHECK(recipe.text.dropout >= 0 && recipe.text.dropout <= 1,
              "text.dropout: expected 0 to 1, found ", recipe.text.dropout);
  TableCheck("objective").shares({{"smoothing", recipe.objective.smoothing}});
  if (recipe.data.neighbours) check_neighbours(recipe);
  std::set<std::string> names = {"source", "target", "config", "settings", "files"};
  for (std::size_t i = 0; i < recipe.heads.size(); ++i) {
    const TranslateHead& head = recipe.heads[i];
    const std::string table = concat("heads[", i, "]");
    FOVEA_CHECK(names_a_file(head.name), table, ".name: expected letters, digits, - and _, ",
                "found '", head.name, "'; its tokenizer is a file of that name");
    FOVEA_CHECK(names.insert(head.name).second, table, ".name: '", head.name,
                "' is the name of another file of the model's folder; take another");
    FOVEA_CHECK(!head.train.empty(), table, ".train: expected a file, line by line beside ",
                "data.train");
    FOVEA_CHECK(!head.dev.empty() || recipe.data.dev.empty(), table,
                ".dev: expected a file, line by line beside data.dev");
    TableCheck(table).layers("layers", 0, head.layers);
  }
  check(recipe.decode);
  check_common(recipe);
}

}  // namespace fovea
