/// What a recipe's files hold, as the task "translate" needs it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "fovea/data/corpus.h"
#include "fovea/tasks/skipped_examples.h"
#include "fovea/tasks/translate/neighbour_reader.h"
#include "fovea/tasks/translate/translate_recipe.h"

namespace fovea {

/// The recipe with its paths made absolute, so that it is understood from everywhere; files of
/// known data sets keep their names. `base`: the recipe's folder.
TranslateRecipe located(TranslateRecipe recipe, const std::filesystem::path& base);

/// Sources with all their right answers.
struct TestSet {
  std::vector<std::string> sources;
  std::vector<std::vector<std::string>> references;
};
/// `lines`: at most so many sources; 0: all.
TestSet read_test_set(const TranslateData& data, Part part, const std::filesystem::path& base,
                      bool join_equal_sources, Dim lines = 0);

struct Tokenizers {
  Tokenizer source, target;
  std::vector<Tokenizer> heads = {};
  std::shared_ptr<const NeighbourReader> neighbours = {};  // null without data.neighbours
};
Tokenizers train_tokenizers(const TranslateRecipe& recipe, const std::filesystem::path& base);

/// The lines of `train`, with both their tokenizers.
NeighbourReader read_neighbours(const TranslateRecipe& recipe, const Tokenizers& texts,
                                const std::filesystem::path& base);

/// To `longest`, if the recipe says so.
void cut_source(Ids& source, const TranslateData& data);

/// The fields of an example: source, what its neighbours have, and end; target; targets of the
/// heads; links of the alignment, as target piece, source piece, target piece, ... `left_out`, if
/// it is not null, is told of each example.
Corpus read_corpus(const TranslateRecipe& recipe, const Tokenizers& texts, Part part,
                   const std::filesystem::path& base, const std::filesystem::path& scratch,
                   SkippedExamples* left_out = nullptr);

}  // namespace fovea
