/// What a recipe's files hold, as the task "translate" needs it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "fovea/data/corpus.h"
#include "fovea/data/parallel.h"
#include "fovea/tasks/translate_recipe.h"

namespace fovea {

/// The recipe with its paths made absolute, so that it is understood from everywhere; files of
/// known data sets keep their names. `base`: the recipe's folder.
TranslateRecipe located(TranslateRecipe recipe, const std::filesystem::path& base);

/// Line by line through one part of the data: source, target, and what else was asked for.
class PartReader {
 public:
  /// `base`: the recipe's folder, from which its paths are seen. `extra`: files beside the
  /// sources.
  PartReader(const TranslateData& data, Part part, const std::filesystem::path& base,
             const std::vector<std::string>& extra = {});
  bool next(std::vector<std::string>& fields);
  /// Of the line that was read last, in its file.
  std::int64_t number() const { return lines_.number(); }

 private:
  ParallelReader lines_;
  SplitConfig split_;
  Part part_;
  bool split_here_;
};

/// "test" of a recipe has files of its own, or is a share of "train".
bool has_part(const TranslateData& data, Part part);

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
  std::vector<Tokenizer> heads;
};
Tokenizers train_tokenizers(const TranslateRecipe& recipe, const std::filesystem::path& base);

/// The fields of an example: source and end; target; targets of the heads; links of the alignment,
/// as target piece, source piece, target piece, ...
Corpus read_corpus(const TranslateRecipe& recipe, const Tokenizers& texts, Part part,
                   const std::filesystem::path& base, const std::filesystem::path& scratch);

}  // namespace fovea
