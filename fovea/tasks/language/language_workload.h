/// Training of the task "language": what the loop in train/ drives.
#pragma once

#include <filesystem>
#include <optional>

#include "fovea/attention/cache.h"
#include "fovea/tasks/language/language.h"
#include "fovea/train/workload.h"

namespace fovea {

/// States that a recurrent model carries from a batch to the next one of the same streams, without
/// gradient: truncated backpropagation through time. They are buffers among the parameters, so that
/// a checkpoint has them and a run that is resumed goes on with the same bits.
class CarriedStates {
 public:
  CarriedStates(Params& params, const LanguageModel& net, const StretchConfig& streams, Dim hidden);

  /// What a batch begins with: zeros in the first one of an epoch.
  Cache begin(Dim batch) const;
  void keep(const Cache& cache);

 private:
  std::vector<std::string> names_;
  std::vector<Var> states_;  // (streams, hidden) each
  Dim streams_;
};

class LanguageWorkload : public Workload {
 public:
  /// Reads the data, learns the tokenizer (or takes the one that is in the run's folder, if the run
  /// is resumed) and draws the model. The recipe's names are located.
  LanguageWorkload(const LanguageRecipe& recipe, const RunPlace& place);

  Params& params() override { return *model_.params; }
  /// Tokens.
  Dim examples() const override { return std::ssize(train_); }
  Dim model_width() const override { return model_.recipe.model.width; }
  std::vector<LossPart> parts() const override { return {{"loss"}}; }
  Dim begin_epoch(Dim epoch) override;
  std::vector<double> counts(Dim batch) override;
  std::vector<Var> losses(Dim batch, const Pass& pass) override;
  std::string describe(Dim batch) override;
  /// In nats a token, and the perplexity.
  std::vector<Figure> validate() override;
  std::vector<std::string> figure_names() const override;
  /// What follows the first words of the validation text, and how those look back.
  std::vector<std::string> show(Dim step) override;
  std::vector<std::string> save_rest(const std::string& folder) override {
    return model_.save_rest(folder);
  }

 private:
  WritingModel model_;
  Ids train_, dev_;
  std::optional<CarriedStates> carried_;
  Stretches stretches_;
};

}  // namespace fovea
