/// Training of the task "cloze": what the loop in train/ drives.
#pragma once

#include <filesystem>
#include <optional>

#include "fovea/data/batches.h"
#include "fovea/tasks/cloze_model.h"
#include "fovea/train/workload.h"

namespace fovea {

class ClozeWorkload : public Workload {
 public:
  /// Reads the data, learns the words (or takes those that are in `folder`, if the run is resumed)
  /// and draws the model. `base`: the recipe's folder.
  ClozeWorkload(const ClozeRecipe& recipe, const std::filesystem::path& base,
                const std::filesystem::path& folder, bool resume);

  Params& params() override { return *model_.params; }
  Dim examples() const override { return train_.size(); }
  std::vector<LossPart> parts() const override { return {{"loss"}}; }
  Dim begin_epoch(Dim epoch) override;
  std::vector<double> counts(Dim batch) override;
  std::vector<Var> losses(Dim batch, const Pass& pass) override;
  std::string describe(Dim batch) override;
  /// -log P(answer) where the document has it, and how often it was the likeliest word.
  std::vector<Figure> validate() override;
  void save_rest(const std::string& folder) override { model_.save_rest(folder); }

 private:
  ClozeModel model_;
  Corpus train_;
  std::optional<Corpus> dev_;
  std::vector<std::int32_t> rows_;  // of each example: what it costs
  std::optional<Batches> batches_;
};

}  // namespace fovea
