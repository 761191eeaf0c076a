/// Training of the task "tag": what the loop in train/ drives.
#pragma once

#include <filesystem>

#include "fovea/tasks/corpus_workload.h"
#include "fovea/tasks/tag/tag_data.h"

namespace fovea {

class TagWorkload : public CorpusWorkload {
 public:
  /// Reads the data, learns tags, intents, words and letters (or takes the tokenizers that are in
  /// `folder`, if the run is resumed) and draws the model. `base`: the recipe's folder.
  TagWorkload(const TagRecipe& recipe, const std::filesystem::path& base,
              const std::filesystem::path& folder, bool resume);

  Params& params() override { return *model_.params; }
  /// Of words' tags; of texts' intents, if there are any.
  std::vector<LossPart> parts() const override;
  std::vector<double> counts(Dim batch) override;
  std::vector<Var> losses(Dim batch, const Pass& pass) override;
  /// "f1" of entities; with intents also "intent", the share that is right, and "frame", the share
  /// of texts of which the intent and all entities are.
  std::vector<Figure> validate() override;
  std::vector<std::string> figure_names() const override;
  std::vector<std::string> show(Dim step) override;
  std::vector<std::string> save_rest(const std::string& folder) override {
    return model_.save_rest(folder);
  }

 private:
  TagWorkload(const TagRecipe& recipe, std::vector<GivenText> train,
              const std::filesystem::path& base, const std::filesystem::path& folder, bool resume);
  /// A text's words as they are read in this epoch: some unknown.
  Ids changed(std::span<const std::int32_t> pieces, std::uint32_t example) const;

  TaggingModel model_;
  std::vector<GivenText> dev_texts_;
  std::vector<float> dropped_;  // of each piece: how likely it is read as unknown
};

}  // namespace fovea
