#include "fovea/tasks/export_hub.h"

#include <algorithm>
#include <map>

#include "fovea/base/atomic_file.h"
#include "fovea/formats/safetensors.h"
#include "fovea/hub/head.h"
#include "fovea/hub/text_config.h"
#include "fovea/tasks/answer/answer_model.h"
#include "fovea/tasks/classify/classification_model.h"
#include "fovea/tasks/embed/embedding_model.h"
#include "fovea/tasks/folder_in_making.h"
#include "fovea/tasks/mask/masked_language_model.h"
#include "fovea/tasks/model_folder.h"
#include "fovea/tasks/tag/tagging_model.h"
#include "fovea/tasks/language/writing_model.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

/// What transformers calls a class with such a head.
std::string architecture_of(const std::string& type, HubHead head) {
  static const std::map<std::string, std::string> families = {{"bert", "Bert"},
                                                              {"roberta", "Roberta"},
                                                              {"distilbert", "DistilBert"},
                                                              {"gpt2", "GPT2"},
                                                              {"llama", "Llama"}};
  const std::string& family = families.at(type);
  switch (head) {
    case HubHead::none:
      return family + "Model";
    case HubHead::masks:
      return family + "ForMaskedLM";
    case HubHead::classes:
      return family + "ForSequenceClassification";
    case HubHead::tags:
      return family + "ForTokenClassification";
    case HubHead::spans:
      return family + "ForQuestionAnswering";
    case HubHead::next:
      return family + (type == "gpt2" ? "LMHeadModel" : "ForCausalLM");
  }
  fail("export: no such head");
}

/// Before the names of the encoder's tensors, where a head stands beside it.
std::string prefix_of(const std::string& type) {
  return type == "gpt2" ? "transformer." : type == "llama" ? "model." : type + ".";
}

bool all_zero(const Tensor& x) {
  const auto values = x.span<float>();
  return std::all_of(values.begin(), values.end(), [](float v) { return v == 0; });
}

class Exporting {
 public:
  Exporting(const Params& params, const TextEncoderConfig& encoder, const Tokenizer& words,
            HubHead head)
      : params_(params), words_(words), head_(head) {
    config_ = hub_text_config(encoder, words.padding());
    type_ = config_.at("model_type").get<std::string>();
    config_["architectures"] = {architecture_of(type_, head)};
    config_["bos_token_id"] = words.special().begin;
    config_["eos_token_id"] = words.special().end;
    told_kinds_ = encoder.kinds > 0;
    longest_ = encoder.longest;
  }

  Json& config() { return config_; }
  const std::string& type() const { return type_; }
  void note(std::string text) { exported_.notes.push_back(std::move(text)); }
  /// A layer that is left out.
  void without(const std::string& scope) { left_out_.push_back(scope); }
  void label(const std::vector<std::string>& labels) {
    for (std::size_t i = 0; i < labels.size(); ++i) {
      config_["id2label"][std::to_string(i)] = labels[i];
      config_["label2id"][labels[i]] = i;
    }
  }

  HubExported write(const fs::path& folder) {
    write_safetensors(folder / "model.safetensors", tensors(), {{"format", "pt"}});
    write_atomically(folder / "config.json", config_.dump(2) + "\n");
    if (!words_.save_for_hub(folder, longest_, head_ != HubHead::next)) {
      note(concat("only the model is written: no tokenizer.json says what a tokenizer of the kind ",
                  name_of(words_.config().kind), " does"));
    }
    exported_.architecture = config_["architectures"][0].get<std::string>();
    return std::move(exported_);
  }

 private:
  std::vector<NamedTensor> tensors() const {
    const std::string prefix = head_ == HubHead::none ? "" : prefix_of(type_);
    const HubTextModel model = hub_text_model(config_, prefix, "encoder");
    NameMap names = model.names;
    names.merge(hub_head_names(model, head_, config_, HubWeights()).names);
    for (const Parameter& each : params_.all()) check_known(each, names);
    std::vector<NamedTensor> all = theirs(params_, names);
    if (!told_kinds_ && type_ == "bert") {
      all.push_back({model.names.at("encoder.kinds.weight").names.front(),
                     Tensor::zeros({1, model.encoder.width})});
    }
    return all;
  }

  void check_known(const Parameter& parameter, const NameMap& names) const {
    const std::string& name = parameter.name;
    if (names.contains(name)) return;
    for (const std::string& scope : left_out_) {
      if (name.starts_with(scope)) return;
    }
    // A last layer there has no bias; what was imported from there by older versions has zeros.
    const bool bias = name == "out.bias";
    FOVEA_CHECK(bias && all_zero(parameter.var.value()), "the parameter ", name,
                " has no place in a ", type_, " of Hugging Face's",
                bias ? "; train with model.out_bias = false" : "");
  }

  const Params& params_;
  const Tokenizer& words_;
  HubHead head_;
  Json config_;
  std::string type_;
  bool told_kinds_ = true;
  Dim longest_ = 0;
  std::vector<std::string> left_out_;
  HubExported exported_;
};

HubExported masks(const fs::path& from, const fs::path& to) {
  const auto model = MaskedLanguageModel::load(from);
  Exporting exporting(*model.params, model.recipe.model.encoder, model.words, HubHead::masks);
  if (model.recipe.model.next_sentence) {
    exporting.without("pooler.");
    exporting.without("next.");
    exporting.note("what tells whether a sentence follows (model.next_sentence) is left out");
  }
  return exporting.write(to);
}

HubExported classes(const fs::path& from, const fs::path& to) {
  const auto model = ClassificationModel::load(from);
  const ClassifyModel& settings = model.recipe.model;
  FOVEA_CHECK(settings.family == ClassifierFamily::encoder,
              "model.family: of classifiers only those with an encoder can be exported");
  FOVEA_CHECK(settings.pooling == TextPooling::first, "model.pooling: classifiers of Hugging ",
              "Face's have \"first\", this one has \"", name_of(settings.pooling), "\"");
  Exporting exporting(*model.params, settings.encoder, model.words, HubHead::classes);
  const bool relu = exporting.type() == "distilbert";
  FOVEA_CHECK(settings.pooling_activation == (relu ? Activation::relu : Activation::tanh),
              "model.pooling_activation: a ", exporting.type(), " has ", relu ? "relu" : "tanh");
  exporting.label(model.recipe.data.labels);
  return exporting.write(to);
}

HubExported tags(const fs::path& from, const fs::path& to) {
  const auto model = TaggingModel::load(from);
  const TaggerConfig& settings = model.recipe.model;
  FOVEA_CHECK(
      !settings.crf, "model.crf: taggers of Hugging Face's have no conditional random ", "field",
      settings.family == TextFamily::transformer ? "; `fovea export --onnx` writes it" : "");
  FOVEA_CHECK(!model.has_intents(), "data.intents: taggers of Hugging Face's learn none");
  Exporting exporting(*model.params, settings, model.words, HubHead::tags);
  exporting.label(model.recipe.data.tags);
  return exporting.write(to);
}

HubExported spans(const fs::path& from, const fs::path& to) {
  const auto model = AnswerModel::load(from);
  const AnswererConfig& settings = model.answerer.config;
  FOVEA_CHECK(settings.kind == AnswerKind::span,
              "model.kind: of models that answer only those that point at spans can be exported");
  FOVEA_CHECK(!settings.match, "model.match: models of Hugging Face's are not told which words ",
              "stand on both sides; train with match = false");
  return Exporting(*model.params, settings.encoder, model.words, HubHead::spans).write(to);
}

HubExported next(const fs::path& from, const fs::path& to) {
  const auto model = WritingModel::load(from);
  Exporting exporting(*model.params, model.recipe.model, model.text.tokenizer(), HubHead::next);
  exporting.config()["tie_word_embeddings"] = model.recipe.model.tied;
  return exporting.write(to);
}

/// With the steps after the encoder as sentence-transformers writes them.
HubExported vectors(const fs::path& from, const fs::path& to) {
  const auto model = EmbeddingModel::load(from);
  const SentenceEncoderConfig& settings = model.recipe.model;
  static const std::map<TextPooling, std::string> modes = {{TextPooling::mean, "mean_tokens"},
                                                           {TextPooling::first_row, "cls_token"},
                                                           {TextPooling::max, "max_tokens"}};
  FOVEA_CHECK(modes.contains(settings.pooling), "model.pooling: sentence-transformers has no \"",
              name_of(settings.pooling), "\"");
  Exporting exporting(*model.params, settings.encoder, model.words, HubHead::none);
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
  return exporting.write(to);
}

HubExported write_model(const fs::path& from, const fs::path& to) {
  const TaskKind task = task_of_model(from);
  switch (task) {
    case TaskKind::mask:
      return masks(from, to);
    case TaskKind::classify:
      return classes(from, to);
    case TaskKind::tag:
      return tags(from, to);
    case TaskKind::answer:
      return spans(from, to);
    case TaskKind::language:
      return next(from, to);
    case TaskKind::embed:
      return vectors(from, to);
    default:
      fail("models of the task \"", name_of(task), "\" cannot be written as Hugging Face's");
  }
}

}  // namespace

HubExported export_hub(const fs::path& model, const fs::path& out) {
  const FolderInMaking folder(out);
  try {
    HubExported exported = write_model(model, folder.path());
    folder.done();
    return exported;
  } catch (const Error& error) {
    fail_in(model, error);
  }
}

}  // namespace fovea
