/// Training of the task "cloze": what the loop in train/ drives.
#pragma once

#include <filesystem>

#include "fovea/tasks/cloze/cloze_model.h"
#include "fovea/tasks/corpus_workload.h"

namespace fovea {

class ClozeWorkload : public CorpusWorkload {
 public:
  /// Reads the data, learns the words (or takes those that are in `folder`, if the run is resumed)
  /// and draws the model. `base`: the recipe's folder.
  ClozeWorkload(const ClozeRecipe& recipe, const std::filesystem::path& base,
                const std::filesystem::path& folder, bool resume);

  Params& params() override { return *model_.params; }
  std::vector<Var> losses(Dim batch, const Pass& pass) override;
  /// -log P(answer) where the document has it, and how often it was the likeliest word.
  std::vector<Figure> validate() override;
  std::vector<std::string> figure_names() const override;
  /// The questions of the first examples of the validation set, and where the first one is looked
  /// at.
  std::vector<std::string> show(Dim step) override;
  void save_rest(const std::string& folder) override { model_.save_rest(folder); }

 private:
  ClozeModel model_;
  std::vector<ClozeExample> shown_;
};

}  // namespace fovea
