#include "fovea/tasks/classify/classify_runner.h"
#include "fovea/tasks/classify/classify_workload.h"
#include "fovea/tasks/hub_folder.h"
#include "fovea/tasks/hub_source.h"
#include "fovea/tasks/onnx_file.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

bool is_classifier(const Json& config) { return hub_head(config) == HubHead::classes; }

Imported import_classifier(const HubImport& from, const fs::path& out) {
  return HubSource(from, "classify", HubHead::classes).import(out, [](HubSource& source) {
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
    return ClassificationModel(std::move(recipe), words, source.params());
  });
}

HubExported export_classifier(const fs::path& from, const fs::path& to) {
  const auto model = ClassificationModel::load(from);
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
  const auto model = ClassificationModel::load(from);
  const auto* net = dynamic_cast<const EncoderClassifier*>(model.classifier.get());
  FOVEA_CHECK(net, "only classifiers with model.family = \"encoder\" are written as ONNX");
  std::vector<std::string> labels;
  for (Dim label = 0; label < model.recipe.model.classes; ++label) {
    labels.push_back(model.name(label));
  }
  return write_onnx(out, *model.params, *net, "classify", labels);
}

}  // namespace

extern constexpr Task classify_task = {
    .name = "classify",
    .training = legacy_training<ClassifyRecipe, ClassifyWorkload>,
    .load = load_runner<ClassifyRunner>,
    .imports = is_classifier,
    .import_hub = import_classifier,
    .export_hub = export_classifier,
    .export_onnx = write_classifier};

}  // namespace fovea
