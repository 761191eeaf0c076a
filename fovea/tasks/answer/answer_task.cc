#include "fovea/tasks/answer/answer_runner.h"
#include "fovea/tasks/answer/answer_workload.h"
#include "fovea/tasks/hub_folder.h"
#include "fovea/tasks/hub_source.h"
#include "fovea/tasks/onnx_file.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

bool is_span_model(const Json& config) { return hub_head(config) == HubHead::spans; }

Imported import_span_model(const HubImport& from, const fs::path& out) {
  return HubSource(from, "answer", HubHead::spans).import(out, [](HubSource& source) {
    const Tokenizer words = source.tokenizer();
    auto recipe = source.recipe<AnswerRecipe>();
    recipe.model.kind = AnswerKind::span;
    recipe.model.encoder = source.net().encoder;
    recipe.model.match = recipe.model.overlap = false;
    recipe.model.told = source.net().encoder.kinds >= 2;
    recipe.data.longest = source.max_tokens(words, std::nullopt, true);
    recipe.words = words.config();
    return AnswerModel(std::move(recipe), words, source.params());
  });
}

HubExported export_span_model(const fs::path& from, const fs::path& to) {
  const auto model = AnswerModel::load(from);
  const AnswererConfig& settings = model.answerer.config;
  FOVEA_CHECK(settings.kind == AnswerKind::span,
              "model.kind: of models that answer only those that point at spans can be exported");
  FOVEA_CHECK(!settings.match, "model.match: models of Hugging Face's are not told which words ",
              "stand on both sides; train with match = false");
  return HubFolder(*model.params, settings.encoder, model.words, HubHead::spans).write(to);
}

std::vector<fs::path> write_answerer(const fs::path& from, const fs::path& out) {
  const auto model = AnswerModel::load(from);
  return write_onnx(out, *model.params, model.answerer, "answer");
}

struct AnswerBridge : LegacyTask<AnswerRecipe> {
  static void complete(AnswerRecipe& recipe) {
    LegacyTask::complete(recipe);
    if (recipe.train.watch != TrainConfig().watch) return;
    recipe.train.watch = recipe.model.kind == AnswerKind::choice ? "map" : "f1";
  }
};

}  // namespace

extern constexpr Task answer_task = {.name = "answer",
                                     .training = make_training<AnswerBridge, LegacyWork<AnswerWorkload, AnswerRecipe>>,
                                     .load = load_runner<AnswerRunner>,
                                     .imports = is_span_model,
                                     .import_hub = import_span_model,
                                     .export_hub = export_span_model,
                                     .export_onnx = write_answerer};

}  // namespace fovea
