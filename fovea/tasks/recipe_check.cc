#include "fovea/tasks/recipe_check.h"

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

}  // namespace


void check(const TagRecipe& recipe) {
  TableCheck("text").not_negative("word_dropout", recipe.text.word_dropout);
  TableCheck("objective").not_negative("intent", recipe.objective.intent);
  check_common(recipe);
}

}  // namespace fovea
