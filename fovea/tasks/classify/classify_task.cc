#include "fovea/tasks/classify/classify.h"
#include "fovea/tasks/hub_folder.h"
#include "fovea/tasks/hub_source.h"
#include "fovea/tasks/onnx_file.h"
#include "fovea/tasks/task_entry.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

bool is_classifier(const Json& config) { return hub_head(config) == HubHead::classes; }

Imported import_classifier(const HubImport& from, const fs::path& out) {
  return HubSource(from, Classify::name, HubHead::classes).import(out, [](HubSource& source) {
    const Tokenizer words = source.tokenizer();
    auto recipe = source.recipe<ClassifyRecipe>();
    const Json kind = source.config().value("problem_type", Json());
    FOVEA_CHECK(kind.is_null() || kind == "single_label_classification",
                "config.json: problem_type: only single_label_classification is supported, found ",
                kind.dump());
    recipe.data.labels = hub_labels(source.config());
    FOVEA_CHECK(recipe.data.labels.size() >= 2, "config.json: id2label: a model of one label ",
                "gives a number, not a class; that is not supported");
    recipe.model.family = ClassifierFamily::encoder;
    recipe.model.encoder = source.net().encoder;
    recipe.model.pooling = TextPooling::first;
    if (source.net().type == "distilbert") recipe.model.pooling_activation = Activation::relu;
    recipe.data.longest = source.max_tokens(words, std::nullopt, false);
    recipe.text.words = words.config();
    return Classify(std::move(recipe), {{"words", words}}, source.params());
  });
}

HubExported export_classifier(const fs::path& from, const fs::path& to) {
  const auto model = load_model<Classify>(from);
  const ClassifyModel& settings = model.recipe.model;
  FOVEA_CHECK(settings.family == ClassifierFamily::encoder,
              "model.family: of classifiers only those with an encoder can be exported");
  FOVEA_CHECK(settings.pooling == TextPooling::first, "model.pooling: classifiers of Hugging ",
              "Face's have \"first\", this one has \"", name_of(settings.pooling), "\"");
  HubFolder folder(*model.params, settings.encoder, model.words, HubHead::classes);
  const bool relu = folder.type() == "distilbert";
  FOVEA_CHECK(settings.pooling_activation == (relu ? Activation::relu : Activation::tanh),
              "model.pooling_activation: a ", folder.type(), " has ", relu ? "relu" : "tanh");
  folder.label(model.recipe.data.labels);
  return folder.write(to);
}

std::vector<fs::path> write_classifier(const fs::path& from, const fs::path& out) {
  const auto model = load_model<Classify>(from);
  const auto* net = dynamic_cast<const EncoderClassifier*>(model.net.get());
  FOVEA_CHECK(net, "only classifiers with model.family = \"encoder\" are written as ONNX");
  std::vector<std::string> labels;
  for (Dim label = 0; label < model.recipe.model.classes; ++label) {
    labels.push_back(model.class_name(label));
  }
  return write_onnx(out, *model.params, *net, Classify::name, labels);
}

constexpr Task classify_entry() {
  Task task = prediction_task<Classify>();
  task.imports = is_classifier;
  task.import_hub = import_classifier;
  task.export_hub = export_classifier;
  task.export_onnx = write_classifier;
  return task;
}

}  // namespace

extern constexpr Task classify_task = classify_entry();

}  // namespace fovea
