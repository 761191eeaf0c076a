#include <map>

#include "fovea/base/atomic_file.h"
#include "fovea/tasks/embed/embed.h"
#include "fovea/tasks/embed/hub_pooling.h"
#include "fovea/tasks/hub_folder.h"
#include "fovea/tasks/hub_source.h"
#include "fovea/tasks/onnx_file.h"
#include "fovea/tasks/task_entry.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

/// The rows of any encoder that looks both ways make vectors.
bool is_encoder(const Json&) { return true; }

Imported import_embedder(const HubImport& from, const fs::path& out) {
  return HubSource(from, Embed::name, HubHead::none).import(out, [](HubSource& source) {
    FOVEA_CHECK(!source.net().encoder.causal, "import: a ", source.net().type,
                " that only looks back makes no vectors of texts here; --task language");
    const Tokenizer words = source.tokenizer();
    auto recipe = source.recipe<EmbedRecipe>();
    const HubPooling pooling = hub_pooling(source.folder(), source.net().encoder.width);
    if (!pooling.told) {
      source.note("no modules.json says how vectors are made: the mean of the rows, of length 1");
    }
    recipe.model.encoder = source.net().encoder;
    recipe.model.pooling = pooling.pooling;
    recipe.model.normalise = pooling.normalise;
    recipe.data.longest = source.max_tokens(
        words, pooling.longest ? pooling.longest : source.tokenizer_max_tokens(), false);
    recipe.words = words.config();
    return Embed(std::move(recipe), {{"words", words}}, source.params());
  });
}

/// With the steps after the encoder as sentence-transformers writes them.
HubExported export_embedder(const fs::path& from, const fs::path& to) {
  const auto model = load_model<Embed>(from);
  const SentenceEncoderConfig& settings = model.recipe.model;
  static const std::map<TextPooling, std::string> modes = {{TextPooling::mean, "mean_tokens"},
                                                           {TextPooling::first_row, "cls_token"},
                                                           {TextPooling::max, "max_tokens"}};
  FOVEA_CHECK(modes.contains(settings.pooling), "model.pooling: sentence-transformers has no \"",
              name_of(settings.pooling), "\"");
  HubFolder folder(*model.params, settings.encoder, model.words, HubHead::none);
  const auto step = [](int number, const std::string& path, const std::string& type) {
    return Json{{"idx", number},
                {"name", std::to_string(number)},
                {"path", path},
                {"type", "sentence_transformers.models." + type}};
  };
  Json steps = {step(0, "", "Transformer"), step(1, "1_Pooling", "Pooling")};
  if (settings.normalise) steps.push_back(step(2, "2_Normalize", "Normalize"));
  Json pooling = {{"word_embedding_dimension", settings.encoder.width}};
  for (const auto& [kind, name] : modes) pooling["pooling_mode_" + name] = kind == settings.pooling;
  fs::create_directories(to / "1_Pooling");
  write_atomically(to / "modules.json", steps.dump(2) + "\n");
  write_atomically(to / "1_Pooling" / "config.json", pooling.dump(2) + "\n");
  const Dim marks = model.words.layout().single_count();
  write_atomically(to / "sentence_bert_config.json",
                   Json{{"max_seq_length", model.recipe.data.longest + marks}}.dump(2) + "\n");
  return folder.write(to);
}

std::vector<fs::path> write_embedder(const fs::path& from, const fs::path& out) {
  const auto model = load_model<Embed>(from);
  return write_onnx(out, *model.params, model.net, Embed::name);
}

constexpr Task embed_entry() {
  Task task = prediction_task<Embed>();
  task.imports = is_encoder;
  task.import_hub = import_embedder;
  task.export_hub = export_embedder;
  task.export_onnx = write_embedder;
  return task;
}

}  // namespace

extern constexpr Task embed_task = embed_entry();

}  // namespace fovea
