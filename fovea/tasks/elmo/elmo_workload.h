/// Training of the task "elmo": what the loop in train/ drives.
#pragma once

#include <filesystem>

#include "fovea/tasks/corpus_workload.h"
#include "fovea/tasks/elmo/elmo_model.h"

namespace fovea {

class ElmoWorkload : public CorpusWorkload {
 public:
  /// Reads the data, learns words and letters (or takes those that are in `folder`, if the run is
  /// resumed) and draws the model. `base`: the recipe's folder.
  ElmoWorkload(const ElmoRecipe& recipe, const std::filesystem::path& base,
               const std::filesystem::path& folder, bool resume);

  Params& params() override { return *model_.params; }
  std::vector<LossPart> parts() const override { return {{"loss"}, {"loss.backward"}}; }
  std::vector<double> counts(Dim batch) override;
  std::vector<Var> losses(Dim batch, const Pass& pass) override;
  /// Both losses in nats a token, and their perplexities.
  std::vector<Figure> validate() override;
  std::vector<std::string> figure_names() const override;
  /// Beginnings of the first texts of the validation set with the likeliest next word. Nothing here
  /// looks at anything.
  std::vector<std::string> show(Dim step) override;
  std::vector<std::string> save_rest(const std::string& folder) override {
    return model_.save_rest(folder);
  }

 private:
  ElmoBatch batch(const Corpus& corpus, std::span<const std::uint32_t> examples) const;

  ElmoModel model_;
};

}  // namespace fovea
