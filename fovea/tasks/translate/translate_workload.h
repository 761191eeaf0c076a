/// Training of the task "translate": what the loop in train/ drives.
#pragma once

#include <filesystem>
#include <map>
#include <optional>

#include "fovea/data/batches.h"
#include "fovea/tasks/translate/translate_data.h"
#include "fovea/tasks/translate/translate_objectives.h"
#include "fovea/train/workload.h"

namespace fovea {

class TranslateWorkload : public Workload {
 public:
  /// Reads the data, learns the tokenizers (or takes those that are in `folder`, if the run is
  /// resumed) and draws the model. `base`: the recipe's folder.
  TranslateWorkload(const TranslateRecipe& recipe, const std::filesystem::path& base,
                    const std::filesystem::path& folder, bool resume);

  Params& params() override { return *model_.params; }
  Dim examples() const override { return train_.size(); }
  std::vector<std::string> notes() const override { return left_out_.notes(); }
  std::vector<LossPart> parts() const override;
  Dim begin_epoch(Dim epoch) override;
  std::vector<double> counts(Dim batch) override;
  std::vector<Var> losses(Dim batch, const Pass& pass) override;
  std::string describe(Dim batch) override;
  std::vector<Figure> validate() override;
  std::vector<std::string> figure_names() const override;
  /// Answers to the first sources of the validation set, and where the first one's reference looks.
  std::vector<std::string> show(Dim step) override;
  std::vector<std::string> save_rest(const std::string& folder) override {
    return model_.save_rest(folder);
  }

  const TranslationModel& model() const { return model_; }

 private:
  TranslateExample example_of(const Corpus& corpus, Dim example) const;
  std::vector<TranslateExample> examples_of(const Corpus& corpus,
                                            std::span<const std::uint32_t> examples) const;
  Ids ids_of(const Corpus& corpus, Dim example, Dim field) const;
  /// Of a batch: drawn, if there are several.
  Dim lag_of(Dim batch) const;
  /// The mean of each objective that counts something there, without smoothing, in nats.
  std::vector<Figure> mean_losses(const Corpus& corpus) const;

  TranslationModel model_;
  std::vector<TranslateLoss> objectives_;
  SkippedExamples left_out_;
  Corpus train_;
  std::optional<Corpus> dev_;
  std::optional<TestSet> dev_lines_;
  std::vector<std::int32_t> rows_;  // of each example: what it costs
  Dim epoch_ = 0;
  std::optional<Batches> batches_;
  std::map<Dim, std::vector<TranslateExample>>
      ready_;  // batches that were counted and not yet used
};

}  // namespace fovea
