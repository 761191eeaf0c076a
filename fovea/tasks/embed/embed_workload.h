/// Training of the task "embed": what the loop in train/ drives.
#pragma once

#include <filesystem>

#include "fovea/tasks/corpus_workload.h"
#include "fovea/tasks/embed/embedding_model.h"

namespace fovea {

class EmbedWorkload : public CorpusWorkload {
 public:
  /// Reads the data, learns the pieces of words (or takes those that are in `folder`, if the run is
  /// resumed, or those of the model to begin with) and draws the model. `base`: the recipe's
  /// folder.
  EmbedWorkload(const EmbedRecipe& recipe, const std::filesystem::path& base,
                const std::filesystem::path& folder, bool resume);

  Params& params() override { return *model_.params; }
  std::vector<Var> losses(Dim batch, const Pass& pass) override;
  /// How often the other text of a pair is the nearest of all, either way.
  std::vector<Figure> validate() override;
  std::vector<std::string> figure_names() const override;
  /// The first texts of the validation set with the nearest of all second ones, and where the first
  /// one is looked at.
  std::vector<std::string> show(Dim step) override;
  void save_rest(const std::string& folder) override { model_.save_rest(folder); }

 private:
  EmbeddingModel model_;
};

/// One field of all examples of a corpus.
std::vector<Ids> texts_of(const Corpus& corpus, Dim field);

}  // namespace fovea
