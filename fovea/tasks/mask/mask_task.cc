#include "fovea/tasks/hub_folder.h"
#include "fovea/tasks/hub_source.h"
#include "fovea/tasks/mask/mask.h"
#include "fovea/tasks/onnx_file.h"
#include "fovea/tasks/task_entry.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

bool is_masked_model(const Json& config) { return hub_head(config) == HubHead::masks; }

Imported import_masked_model(const HubImport& from, const fs::path& out) {
  return HubSource(from, Mask::name, HubHead::masks).import(out, [](HubSource& source) {
    const Tokenizer words = source.tokenizer();
    auto recipe = source.recipe<MaskRecipe>();
    recipe.model.encoder = source.net().encoder;
    recipe.data.longest = source.net().encoder.longest;
    recipe.words = words.config();
    return Mask(std::move(recipe), {{"words", words}}, source.params());
  });
}

HubExported export_masked_model(const fs::path& from, const fs::path& to) {
  const auto model = load_model<Mask>(from);
  HubFolder folder(*model.params, model.recipe.model.encoder, model.words, HubHead::masks);
  if (model.recipe.model.next_sentence) {
    folder.leave_out("pooler.");
    folder.leave_out("next.");
    folder.note("what tells whether a sentence follows (model.next_sentence) is left out");
  }
  return folder.write(to);
}

std::vector<fs::path> write_masked_model(const fs::path& from, const fs::path& out) {
  const auto model = load_model<Mask>(from);
  return write_onnx(out, *model.params, model.net, Mask::name);
}

constexpr Task mask_entry() {
  Task task = prediction_task<Mask>();
  task.imports = is_masked_model;
  task.import_hub = import_masked_model;
  task.export_hub = export_masked_model;
  task.export_onnx = write_masked_model;
  return task;
}

}  // namespace

extern constexpr Task mask_task = mask_entry();

}  // namespace fovea
