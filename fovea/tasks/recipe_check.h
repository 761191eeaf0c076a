/// Whether what a recipe says can be trained, known before any data is read: an Error names the
/// key, what was expected and what was found. What only the data can tell, workloads say; what is
/// said of the run itself, train/limits.h checks.
#pragma once

#include "fovea/tasks/tag/tag_recipe.h"

namespace fovea {

void check(const TagRecipe& recipe);

}  // namespace fovea
