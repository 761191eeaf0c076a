#include <algorithm>

#include "fovea/tasks/hub_folder.h"
#include "fovea/tasks/hub_source.h"
#include "fovea/tasks/onnx_file.h"
#include "fovea/tasks/tag/tag.h"
#include "fovea/tasks/task_entry.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

bool is_tagger(const Json& config) { return hub_head(config) == HubHead::tags; }

/// The scheme of tags that no file of ours gave: by how they begin.
TagScheme scheme_of(const std::vector<std::string>& tags) {
  const bool bioes = std::any_of(tags.begin(), tags.end(), [](const std::string& tag) {
    return tag.starts_with("E-") || tag.starts_with("S-");
  });
  return bioes ? TagScheme::bioes : TagScheme::iob2;
}

Imported import_tagger(const HubImport& from, const fs::path& out) {
  return HubSource(from, TaggingModel::name, HubHead::tags).import(out, [](HubSource& source) {
    const Tokenizer words = source.tokenizer();
    auto recipe = source.recipe<TagRecipe>();
    recipe.data.tags = hub_labels(source.config());
    recipe.data.scheme = recipe.text.scheme = scheme_of(recipe.data.tags);
    recipe.text.letters = false;
    recipe.text.word_dropout = 0;
    recipe.text.words = words.config();
    static_cast<TextEncoderConfig&>(recipe.model) = source.net().encoder;
    recipe.model.crf = false;
    return TaggingModel(std::move(recipe), {{"words", words}}, source.params());
  });
}

HubExported export_tagger(const fs::path& from, const fs::path& to) {
  const auto model = load_model<TaggingModel>(from);
  const TaggerConfig& settings = model.recipe.model;
  FOVEA_CHECK(
      !settings.crf, "model.crf: taggers of Hugging Face's have no conditional random field",
      settings.family == TextFamily::transformer ? "; `fovea export --onnx` writes it" : "");
  FOVEA_CHECK(!model.has_intents(), "data.intents: taggers of Hugging Face's learn none");
  HubFolder folder(*model.params, settings, model.words, HubHead::tags);
  folder.label(model.recipe.data.tags);
  return folder.write(to);
}

std::vector<fs::path> write_tagger(const fs::path& from, const fs::path& out) {
  const auto model = load_model<TaggingModel>(from);
  const bool words = model.words.config().kind == TokenizerKind::words;
  FOVEA_CHECK(!model.has_intents() || words, "a tagger that learned intents of words in pieces ",
              "(data.intents, text.words.kind) is not written as ONNX");
  return write_onnx(out, *model.params, model.net, TaggingModel::name, model.recipe.data.tags);
}

constexpr Task tag_entry() {
  Task task = prediction_task<TaggingModel>();
  task.imports = is_tagger;
  task.import_hub = import_tagger;
  task.export_hub = export_tagger;
  task.export_onnx = write_tagger;
  return task;
}

}  // namespace

extern constexpr Task tag_task = tag_entry();

}  // namespace fovea
