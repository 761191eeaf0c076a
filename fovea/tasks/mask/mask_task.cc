#include "fovea/tasks/hub_folder.h"
#include "fovea/tasks/hub_source.h"
#include "fovea/tasks/mask/mask_runner.h"
#include "fovea/tasks/mask/mask_workload.h"
#include "fovea/tasks/onnx_file.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

bool is_masked_model(const Json& config) { return hub_head(config) == HubHead::masks; }

Imported import_masked_model(const HubImport& from, const fs::path& out) {
  return HubSource(from, "mask", HubHead::masks).import(out, [](HubSource& source) {
    const Tokenizer words = source.tokenizer();
    auto recipe = source.recipe<MaskRecipe>();
    recipe.model.encoder = source.net().encoder;
    recipe.data.longest = source.net().encoder.longest;
    recipe.words = words.config();
    return MaskedLanguageModel(std::move(recipe), words, source.params());
  });
}

HubExported export_masked_model(const fs::path& from, const fs::path& to) {
  const auto model = MaskedLanguageModel::load(from);
  HubFolder folder(*model.params, model.recipe.model.encoder, model.words, HubHead::masks);
  if (model.recipe.model.next_sentence) {
    folder.leave_out("pooler.");
    folder.leave_out("next.");
    folder.note("what tells whether a sentence follows (model.next_sentence) is left out");
  }
  return folder.write(to);
}

std::vector<fs::path> write_masked_model(const fs::path& from, const fs::path& out) {
  const auto model = MaskedLanguageModel::load(from);
  return write_onnx(out, *model.params, model.model, "mask");
}

}  // namespace

extern constexpr Task mask_task = {.name = "mask",
                                   .training = legacy_training<MaskRecipe, MaskWorkload>,
                                   .load = load_runner<MaskRunner>,
                                   .imports = is_masked_model,
                                   .import_hub = import_masked_model,
                                   .export_hub = export_masked_model,
                                   .export_onnx = write_masked_model};

}  // namespace fovea
