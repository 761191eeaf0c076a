#include "fovea/tasks/answer/answer.h"
#include "fovea/tasks/hub_folder.h"
#include "fovea/tasks/hub_source.h"
#include "fovea/tasks/onnx_file.h"
#include "fovea/tasks/task_entry.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

bool is_span_model(const Json& config) { return hub_head(config) == HubHead::spans; }

Imported import_span_model(const HubImport& from, const fs::path& out) {
  return HubSource(from, QuestionAnswering::name, HubHead::spans)
      .import(out, [](HubSource& source) {
        const Tokenizer words = source.tokenizer();
        auto recipe = source.recipe<AnswerRecipe>();
        recipe.model.kind = AnswerKind::span;
        recipe.model.encoder = source.net().encoder;
        recipe.model.match = recipe.model.overlap = false;
        recipe.model.told = source.net().encoder.kinds >= 2;
        recipe.data.longest = source.max_tokens(words, std::nullopt, true);
        recipe.words = words.config();
        return QuestionAnswering(std::move(recipe), {{"words", words}}, source.params());
      });
}

HubExported export_span_model(const fs::path& from, const fs::path& to) {
  const auto model = load_model<QuestionAnswering>(from);
  const AnswererConfig& settings = model.net.config;
  FOVEA_CHECK(settings.kind == AnswerKind::span,
              "model.kind: of models that answer only those that point at spans can be exported");
  FOVEA_CHECK(!settings.match, "model.match: models of Hugging Face's are not told which words ",
              "stand on both sides; train with match = false");
  return HubFolder(*model.params, settings.encoder, model.words, HubHead::spans).write(to);
}

std::vector<fs::path> write_answerer(const fs::path& from, const fs::path& out) {
  const auto model = load_model<QuestionAnswering>(from);
  return write_onnx(out, *model.params, model.net, QuestionAnswering::name);
}

constexpr Task answer_entry() {
  Task task = prediction_task<QuestionAnswering>();
  task.imports = is_span_model;
  task.import_hub = import_span_model;
  task.export_hub = export_span_model;
  task.export_onnx = write_answerer;
  return task;
}

}  // namespace

extern constexpr Task answer_task = answer_entry();

}  // namespace fovea
