#include "fovea/tasks/export_onnx.h"

#include "fovea/onnx/text_models.h"
#include "fovea/onnx/translator.h"
#include "fovea/tasks/answer/answer_model.h"
#include "fovea/tasks/classify/classification_model.h"
#include "fovea/tasks/embed/embedding_model.h"
#include "fovea/tasks/mask/masked_language_model.h"
#include "fovea/tasks/model_folder.h"
#include "fovea/tasks/tag/tagging_model.h"
#include "fovea/tasks/translate/translation_model.h"
#include "fovea/tasks/language/writing_model.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

using Names = std::vector<std::string>;

template <class Net>
std::vector<fs::path> write(const fs::path& out, const Params& params, const Net& net,
                            TaskKind task, const Names& labels = {}) {
  onnx::Graph graph(params);
  onnx::add_model(graph, net);
  graph.note("task", std::string(name_of(task)));
  if (!labels.empty()) graph.note("labels", Json(labels).dump());
  graph.write(out);
  return {out};
}

std::vector<fs::path> write_classifier(const fs::path& out, const ClassificationModel& model) {
  const auto* net = dynamic_cast<const EncoderClassifier*>(model.classifier.get());
  FOVEA_CHECK(net, "only classifiers with model.family = \"encoder\" are written as ONNX");
  Names labels;
  for (Dim label = 0; label < model.recipe.model.classes; ++label) {
    labels.push_back(model.name(label));
  }
  return write(out, *model.params, *net, TaskKind::classify, labels);
}

std::vector<fs::path> write_tagger(const fs::path& out, const TaggingModel& model) {
  const bool words = model.words.config().kind == TokenizerKind::words;
  FOVEA_CHECK(!model.has_intents() || words, "a tagger that learned intents of words in pieces ",
              "(data.intents, text.words.kind) is not written as ONNX");
  return write(out, *model.params, *model.tagger, TaskKind::tag, model.recipe.data.tags);
}

std::vector<fs::path> write_translator(const fs::path& out, const TranslationModel& model) {
  const auto* encoder = dynamic_cast<const TransformerEncoder*>(model.net.encoder.get());
  const auto* decoder = dynamic_cast<const TransformerDecoder*>(model.net.decoder.get());
  FOVEA_CHECK(encoder && decoder,
              "only translators with model.family = \"transformer\" are written as ONNX");
  FOVEA_CHECK(!model.neighbours,
              "a translator with data.neighbours looks pairs up, which ONNX does ",
              "not; train one without to write it");
  onnx::Graph first(*model.params), second(*model.params);
  onnx::add_encoder(first, *encoder);
  onnx::add_decoder(second, *decoder);
  fs::create_directories(out);
  const std::vector<fs::path> files = {out / "encoder_model.onnx", out / "decoder_model.onnx"};
  first.write(files[0]);
  second.write(files[1]);
  return files;
}

std::vector<fs::path> write_graphs(const fs::path& folder, const fs::path& out) {
  const TaskKind task = task_of_model(folder);
  switch (task) {
    case TaskKind::mask: {
      const auto model = MaskedLanguageModel::load(folder);
      return write(out, *model.params, model.model, task);
    }
    case TaskKind::language: {
      const auto model = WritingModel::load(folder);
      return write(out, *model.params, model.net, task);
    }
    case TaskKind::embed: {
      const auto model = EmbeddingModel::load(folder);
      return write(out, *model.params, model.encoder, task);
    }
    case TaskKind::answer: {
      const auto model = AnswerModel::load(folder);
      return write(out, *model.params, model.answerer, task);
    }
    case TaskKind::classify:
      return write_classifier(out, ClassificationModel::load(folder));
    case TaskKind::tag:
      return write_tagger(out, TaggingModel::load(folder));
    case TaskKind::translate:
      return write_translator(out, TranslationModel::load(folder));
    default:
      fail("models of the task \"", name_of(task), "\" are not written as ONNX");
  }
}

}  // namespace

std::vector<fs::path> export_onnx(const fs::path& model, const fs::path& out) {
  try {
    return write_graphs(model, out);
  } catch (const Error& error) {
    fail_in(model, error);
  }
}

}  // namespace fovea
