#include "fovea/tasks/training.h"

#include "fovea/tasks/answer/answer_workload.h"
#include "fovea/tasks/classify/classify_workload.h"
#include "fovea/tasks/cloze/cloze_workload.h"
#include "fovea/tasks/elmo/elmo_workload.h"
#include "fovea/tasks/embed/embed_workload.h"
#include "fovea/tasks/language/language_workload.h"
#include "fovea/tasks/mask/mask_workload.h"
#include "fovea/tasks/recipe_check.h"
#include "fovea/tasks/tag/tag_workload.h"
#include "fovea/tasks/translate/translate_workload.h"

namespace fovea {
namespace {

/// For tasks that have no loss on held-out data, which a recipe watches if it says nothing.
void watch_instead(TrainConfig& train, const char* figure) {
  if (train.watch == TrainConfig().watch) train.watch = figure;
}

/// What a recipe leaves out and another of its settings tells.
void complete(TranslateRecipe& recipe) {
  ScheduleConfig& schedule = recipe.train.schedule;
  if (schedule.width == 0) schedule.width = recipe.model.width();
}

void complete(AnswerRecipe& recipe) {
  ScheduleConfig& schedule = recipe.train.schedule;
  if (schedule.width == 0) schedule.width = recipe.model.encoder.width;
  watch_instead(recipe.train, recipe.model.kind == AnswerKind::choice ? "map" : "f1");
}

template <class Recipe>
void complete(Recipe& recipe) {
  ScheduleConfig& schedule = recipe.train.schedule;
  if (schedule.width == 0) schedule.width = recipe.model.width;
}

void complete(ElmoRecipe& recipe) {
  ScheduleConfig& schedule = recipe.train.schedule;
  if (schedule.width == 0) schedule.width = recipe.model.projection;
}

void complete(MaskRecipe& recipe) {
  ScheduleConfig& schedule = recipe.train.schedule;
  if (schedule.width == 0) schedule.width = recipe.model.encoder.width;
}

void complete(EmbedRecipe& recipe) {
  ScheduleConfig& schedule = recipe.train.schedule;
  if (schedule.width == 0) schedule.width = recipe.model.encoder.width;
  watch_instead(recipe.train, "accuracy");
}

template <class Recipe, class Work>
class TrainingOf : public Training {
 public:
  explicit TrainingOf(const RecipeFile& file)
      : base_(file.path.parent_path()), recipe_(file.read<Recipe>()) {
    complete(recipe_);
    check(recipe_);
  }

  Json settings() const override { return write_config(recipe_); }
  const TrainConfig& config() const override { return recipe_.train; }
  bool has(Part part) const override { return has_part(recipe_.data, part); }
  std::unique_ptr<Workload> workload(const std::filesystem::path& folder,
                                     bool resume) const override {
    return std::make_unique<Work>(recipe_, base_, folder, resume);
  }

 private:
  std::filesystem::path base_;  // from where the recipe's paths are seen
  Recipe recipe_;
};

}  // namespace

std::unique_ptr<Training> Training::of(const RecipeFile& file) {
  switch (file.task) {
    case TaskKind::answer:
      return std::make_unique<TrainingOf<AnswerRecipe, AnswerWorkload>>(file);
    case TaskKind::classify:
      return std::make_unique<TrainingOf<ClassifyRecipe, ClassifyWorkload>>(file);
    case TaskKind::cloze:
      return std::make_unique<TrainingOf<ClozeRecipe, ClozeWorkload>>(file);
    case TaskKind::elmo:
      return std::make_unique<TrainingOf<ElmoRecipe, ElmoWorkload>>(file);
    case TaskKind::language:
      return std::make_unique<TrainingOf<LanguageRecipe, LanguageWorkload>>(file);
    case TaskKind::tag:
      return std::make_unique<TrainingOf<TagRecipe, TagWorkload>>(file);
    case TaskKind::embed:
      return std::make_unique<TrainingOf<EmbedRecipe, EmbedWorkload>>(file);
    case TaskKind::mask:
      return std::make_unique<TrainingOf<MaskRecipe, MaskWorkload>>(file);
    case TaskKind::translate:
      return std::make_unique<TrainingOf<TranslateRecipe, TranslateWorkload>>(file);
  }
  fail(file.path.string(), ": a recipe of an unknown task");
}

}  // namespace fovea
