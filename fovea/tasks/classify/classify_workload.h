/// Training of the task "classify": what the loop in train/ drives.
#pragma once

#include <filesystem>

#include "fovea/tasks/classify/classify_data.h"
#include "fovea/tasks/corpus_workload.h"

namespace fovea {

class ClassifyWorkload : public CorpusWorkload {
 public:
  /// Reads the data, learns labels and words (or takes the words that are in `folder`, if the run
  /// is resumed) and draws the model. `base`: the recipe's folder.
  ClassifyWorkload(const ClassifyRecipe& recipe, const std::filesystem::path& base,
                   const std::filesystem::path& folder, bool resume);

  Params& params() override { return *model_.params; }
  std::vector<Var> losses(Dim batch, const Pass& pass) override;
  std::vector<Figure> validate() override;
  std::vector<std::string> figure_names() const override;
  /// Answers to the first texts of the validation set, and where the first one is looked at.
  std::vector<std::string> show(Dim step) override;
  std::vector<std::string> save_rest(const std::string& folder) override {
    return model_.save_rest(folder);
  }

 private:
  /// A text's words as they are read in this epoch: some unknown.
  Ids changed(std::span<const std::int32_t> words, std::uint32_t example, bool second) const;
  bool changes() const;

  ClassificationModel model_;
};

}  // namespace fovea
