/// Training of the task "answer": what the loop in train/ drives.
#pragma once

#include <filesystem>
#include <vector>

#include "fovea/tasks/answer/answer_model.h"
#include "fovea/tasks/corpus_workload.h"

namespace fovea {

class AnswerWorkload : public CorpusWorkload {
 public:
  /// Reads the data, learns the words (or takes those that are in `folder`, if the run is resumed)
  /// and draws the model. `base`: the recipe's folder.
  AnswerWorkload(const AnswerRecipe& recipe, const std::filesystem::path& base,
                 const std::filesystem::path& folder, bool resume);

  Params& params() override { return *model_.params; }
  /// choice: -log of the sum of P over the sentences that answer; questions without any are left
  /// out. span: -log P(begin) - log P(end), each summed over the places that are right.
  std::vector<Var> losses(Dim batch, const Pass& pass) override;
  std::vector<Figure> validate() override;
  std::vector<std::string> figure_names() const override;
  /// The first questions of the validation set, and where the first one and its text are looked at.
  std::vector<std::string> show(Dim step) override;
  std::vector<std::string> save_rest(const std::string& folder) override {
    return model_.save_rest(folder);
  }

 private:
  bool spans() const { return model_.recipe.model.kind == AnswerKind::span; }
  void add_choices(std::span<const ChoiceExample> questions, CorpusBuilder& corpus);
  void add_spans(std::span<const SpanExample> questions, CorpusBuilder& corpus) const;
  Var choice_loss(std::span<const std::uint32_t> examples, const Pass& pass) const;
  Var span_loss(std::span<const std::uint32_t> examples, const Pass& pass) const;

  AnswerModel model_;
  std::vector<ChoiceExample> dev_choices_;
  std::vector<SpanExample> dev_spans_;
};

}  // namespace fovea
