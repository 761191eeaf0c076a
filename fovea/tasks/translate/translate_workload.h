/// Training of the task "translate": what the loop in train/ drives.
#pragma once

#include <filesystem>
#include <map>
#include <optional>

#include "fovea/data/batches.h"
#include "fovea/tasks/translate/translate_data.h"
#include "fovea/tasks/translate/translation_model.h"
#include "fovea/train/workload.h"

namespace fovea {

/// Letters: M source rows, N target rows of a batch.
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
  void save_rest(const std::string& folder) override { model_.save_rest(folder); }

  const TranslationModel& model() const { return model_; }

 private:
  /// Examples of a batch as rows.
  struct Batch {
    Sequences sources;
    std::vector<Ids> targets;             // bare
    std::vector<std::vector<Ids>> heads;  // for each head
    std::vector<Ids> links;
  };
  Batch batch_of(const Corpus& corpus, std::span<const std::uint32_t> examples) const;
  /// How much each part counts in it.
  std::vector<double> counts_of(const Batch& batch) const;
  Ids ids_of(const Corpus& corpus, Dim example, Dim field) const;
  /// Sums over the batch: the order of parts().
  std::vector<Var> sums(const Batch& batch, double smoothing, Dim lag, const Pass& pass) const;
  /// Of a batch: drawn, if there are several.
  Dim lag_of(Dim batch) const;
  Var alignment_loss(const Batch& batch, const AskedWeights& asked, const Segments& targets) const;
  Var hard_attention_loss(const DrawnPlaces& drawn, const OutputLayer& out, const Var& h,
                          const Tensor& targets, const Segments& rows) const;
  std::vector<double> mean_losses(const Corpus& corpus) const;
  bool aligned() const { return !model_.recipe.data.alignments.empty(); }

  TranslationModel model_;
  SkippedExamples left_out_;
  Corpus train_;
  std::optional<Corpus> dev_;
  std::optional<TestSet> dev_lines_;
  std::vector<std::int32_t> rows_;  // of each example: what it costs
  Dim epoch_ = 0;
  std::optional<Batches> batches_;
  std::map<Dim, Batch> ready_;  // batches that were counted and not yet used
};

}  // namespace fovea
