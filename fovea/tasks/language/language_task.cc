#include "fovea/tasks/hub_folder.h"
#include "fovea/tasks/hub_source.h"
#include "fovea/tasks/language/language_workload.h"
#include "fovea/tasks/onnx_file.h"
#include "fovea/tasks/task_entry.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

bool is_language_model(const Json& config) { return hub_head(config) == HubHead::next; }

Imported import_language_model(const HubImport& from, const fs::path& out) {
  return HubSource(from, WritingModel::name, HubHead::next).import(out, [](HubSource& source) {
    const Tokenizer words = source.tokenizer();
    auto recipe = source.recipe<LanguageRecipe>();
    static_cast<TextEncoderConfig&>(recipe.model) = source.net().encoder;
    recipe.model.tied = !source.head().names.contains("out.weight");
    recipe.batch.context = source.net().encoder.longest;
    recipe.text = words.config();
    return WritingModel(std::move(recipe), {{"text", words}}, source.params());
  });
}

HubExported export_language_model(const fs::path& from, const fs::path& to) {
  const auto model = load_model<WritingModel>(from);
  HubFolder folder(*model.params, model.recipe.model, model.text.tokenizer(), HubHead::next);
  folder.config()["tie_word_embeddings"] = model.recipe.model.tied;
  return folder.write(to);
}

std::vector<fs::path> write_language_model(const fs::path& from, const fs::path& out) {
  const auto model = load_model<WritingModel>(from);
  return write_onnx(out, *model.params, model.net, WritingModel::name);
}

}  // namespace

extern constexpr Task language_task = {.name = WritingModel::name,
                                       .training = make_training<WritingModel, LanguageWorkload>,
                                       .load = load_language_runner,
                                       .imports = is_language_model,
                                       .import_hub = import_language_model,
                                       .export_hub = export_language_model,
                                       .export_onnx = write_language_model};

}  // namespace fovea
