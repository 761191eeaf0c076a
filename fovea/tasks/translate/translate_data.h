/// What a recipe's files hold, as the task "translate" needs it.
#pragma once

#include <string>
#include <vector>

#include "fovea/tasks/translate/translation_model.h"

namespace fovea {

/// Sources with all their right answers.
struct TestSet {
  std::vector<std::string> sources;
  std::vector<std::vector<std::string>> references;
};
/// `lines`: at most so many sources; 0: all. Names of files are located, as everywhere here.
TestSet read_test_set(const TranslateData& data, Part part, bool join_equal_sources, Dim lines = 0);

/// By the names that a model's folder has them under, learned from the training part.
TokenizerMap learn_tokenizers(const TranslateRecipe& recipe);

/// The lines of `train`, with both their tokenizers.
NeighbourReader read_neighbours(const TranslationModel& model);

}  // namespace fovea
