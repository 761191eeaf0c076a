/// Training of the task "mask": what the loop in train/ drives.
#pragma once

#include <filesystem>
#include <optional>

#include "fovea/tasks/corpus_workload.h"
#include "fovea/tasks/mask/masked_texts.h"

namespace fovea {

class MaskWorkload : public CorpusWorkload {
 public:
  /// Reads the data, learns the pieces of words (or takes those that are in `folder`, if the run is
  /// resumed) and draws the model. `base`: the recipe's folder.
  MaskWorkload(const MaskRecipe& recipe, const std::filesystem::path& base,
               const std::filesystem::path& folder, bool resume);

  Params& params() override { return *model_.params; }
  /// Of hidden tokens; and, if it is learned, of texts with a second part.
  std::vector<LossPart> parts() const override;
  std::vector<double> counts(Dim batch) override;
  std::vector<Var> losses(Dim batch, const Pass& pass) override;
  std::vector<Figure> validate() override;
  std::vector<std::string> figure_names() const override;
  /// The beginnings of a few texts, each with a token hidden in its middle.
  std::vector<std::string> show(Dim step) override;
  std::vector<std::string> save_rest(const std::string& folder) override {
    return model_.save_rest(folder);
  }

 private:
  /// Of this epoch, kept until its losses or another one are asked for.
  const MaskedBatch& made(Dim batch);

  MaskedLanguageModel model_;
  std::optional<MaskedTexts> texts_, dev_texts_;
  struct Made {
    Dim epoch, batch;
    MaskedBatch rows;
  };
  std::optional<Made> made_;
};

}  // namespace fovea
