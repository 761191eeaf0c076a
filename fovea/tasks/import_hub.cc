#include "fovea/tasks/import_hub.h"

#include <algorithm>

#include "fovea/formats/safetensors.h"
#include "fovea/hub/head.h"
#include "fovea/tasks/answer/answer_model.h"
#include "fovea/tasks/classify/classification_model.h"
#include "fovea/tasks/embed/embedding_model.h"
#include "fovea/tasks/folder_in_making.h"
#include "fovea/tasks/embed/hub_pooling.h"
#include "fovea/tasks/translate/import_marian.h"
#include "fovea/tasks/mask/masked_language_model.h"
#include "fovea/tasks/model_folder.h"
#include "fovea/tasks/tag/tagging_model.h"
#include "fovea/tasks/language/writing_model.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

/// What a task asks of a checkpoint.
HubHead head_for(TaskKind task) {
  switch (task) {
    case TaskKind::mask:
      return HubHead::masks;
    case TaskKind::classify:
      return HubHead::classes;
    case TaskKind::tag:
      return HubHead::tags;
    case TaskKind::answer:
      return HubHead::spans;
    case TaskKind::language:
      return HubHead::next;
    case TaskKind::embed:
      return HubHead::none;
    default:
      fail("import: no model of the task '", name_of(task), "' can be made of it");
  }
}

TaskKind task_for(HubHead head) {
  for (const TaskKind task :
       {TaskKind::mask, TaskKind::classify, TaskKind::tag, TaskKind::answer, TaskKind::language}) {
    if (head_for(task) == head) return task;
  }
  return TaskKind::embed;
}

/// The tags of a model that no file of ours gave; told apart by how they begin.
TagScheme scheme_of(const std::vector<std::string>& tags) {
  const bool bioes = std::any_of(tags.begin(), tags.end(), [](const std::string& tag) {
    return tag.starts_with("E-") || tag.starts_with("S-");
  });
  return bioes ? TagScheme::bioes : TagScheme::iob2;
}

/// config.json of a model of ours is its recipe.
void expect_theirs(const fs::path& folder) {
  const Json config = parse_json_file(folder / "config.json");
  const bool ours = config.is_object() && config.contains("task") && !config.contains("model_type");
  FOVEA_CHECK(!ours, folder.string(), ": is a model of Fovea's already, with nothing to import; ",
              "`fovea run ", folder.string(), "` runs it");
}

class Importing {
 public:
  explicit Importing(const HubImport& from)
      : from_(from),
        config_(parse_json_file(from.folder / "config.json")),
        weights_(from.weights.empty() ? HubWeights::open(from.folder)
                                      : HubWeights::open_file(from.weights)),
        net_(hub_text_model(config_, weights_, "encoder")),
        has_(hub_head(config_)),
        task_(from.task ? *from.task : task_for(has_)) {
    const HubHead wanted = head_for(task_);
    FOVEA_CHECK(wanted == HubHead::none || wanted == has_, "import: --task ", name_of(task_),
                " needs a head of ", name_of(wanted),
                ", but config.json's architectures name one of ", name_of(has_));
    FOVEA_CHECK(task_ != TaskKind::embed || !net_.encoder.causal, "import: a ", net_.type,
                " that only looks back makes no vectors of texts here; --task language");
    head_ = hub_head_names(net_, wanted, config_, weights_);
  }

  Imported run(const fs::path& folder) {
    const std::vector<std::string> unused = hub_unused(net_, head_, weights_);
    if (!unused.empty()) {
      note(concat(unused.size(), " tensors of another head are left out: ", unused.front(),
                  unused.size() > 1 ? ", ..." : ""));
    }
    try {
      make(folder);
    } catch (const Error& error) {
      if (reading_->empty()) throw;
      fail(*reading_, ": ", error.what());
    }
    return {task_, net_.type, parameters_, notes_};
  }

 private:
  void make(const fs::path& folder) {
    switch (task_) {
      case TaskKind::mask:
        write(masks(), folder);
        break;
      case TaskKind::classify:
        write(classes(), folder);
        break;
      case TaskKind::tag:
        write(tags(), folder);
        break;
      case TaskKind::answer:
        write(spans(), folder);
        break;
      case TaskKind::language:
        write(next(), folder);
        break;
      default:
        write(vectors(), folder);
    }
  }

  void note(std::string text) { notes_.push_back(std::move(text)); }

  Tokenizer tokenizer() const {
    return Tokenizer::of(HubTokenizer::load(from_.folder), net_.encoder.vocabulary);
  }

  /// Each of our parameters from theirs; one that is missing is an Error.
  std::unique_ptr<Params> params() {
    NameMap names = net_.names;
    names.insert(head_.names.begin(), head_.names.end());
    const auto all = static_cast<double>(names.size());
    auto done = std::make_shared<double>(0);
    const Params::Source source = source_of(weights_, names);
    return std::make_unique<Params>(0, [=, reading = reading_,
                                        progress = from_.progress](const std::string& name) {
      const auto at = names.find(name);
      FOVEA_CHECK(at != names.end(), "import: ", name, ": nothing in the checkpoint stands for it");
      *reading = at->second.names.front();
      if (progress) progress(*done / all, "reading " + *reading);
      ++*done;
      return source(name);
    });
  }

  /// Tokens of a text beside the marks around it.
  Dim longest(const Tokenizer& words, std::optional<Dim> wanted, bool pair) const {
    const Dim marks = pair ? words.layout().pair_count() : words.layout().single_count();
    const Dim most = std::min(net_.encoder.longest, wanted.value_or(net_.encoder.longest)) - marks;
    FOVEA_CHECK(most > 0, "config.json: ", net_.encoder.longest,
                " places are too few for the marks around a text");
    return most;
  }
  /// What its files say of how long texts may be.
  std::optional<Dim> told_length() const { return HubTokenizer::load(from_.folder).max_length(); }

  template <class Recipe>
  Recipe recipe() const {
    Recipe recipe;
    recipe.title = concat(net_.type, " of ", from_.folder.filename().string());
    return recipe;
  }

  EmbeddingModel vectors() {
    const Tokenizer words = tokenizer();
    auto r = recipe<EmbedRecipe>();
    const HubPooling pooling = hub_pooling(from_.folder, net_.encoder.width);
    if (!pooling.told) {
      note("no modules.json says how vectors are made: the mean of the rows, of length 1");
    }
    r.model.encoder = net_.encoder;
    r.model.pooling = pooling.pooling;
    r.model.normalise = pooling.normalise;
    r.data.longest = longest(words, pooling.longest ? pooling.longest : told_length(), false);
    r.words = words.config();
    return {std::move(r), words, params()};
  }

  MaskedLanguageModel masks() {
    const Tokenizer words = tokenizer();
    auto r = recipe<MaskRecipe>();
    r.model.encoder = net_.encoder;
    r.data.longest = net_.encoder.longest;
    r.words = words.config();
    return {std::move(r), words, params()};
  }

  ClassificationModel classes() {
    const Tokenizer words = tokenizer();
    auto r = recipe<ClassifyRecipe>();
    const Json kind = config_.value("problem_type", Json());
    FOVEA_CHECK(kind.is_null() || kind == "single_label_classification",
                "config.json: problem_type: only single_label_classification is supported, found ",
                kind.dump());
    r.data.labels = hub_labels(config_);
    FOVEA_CHECK(r.data.labels.size() >= 2, "config.json: id2label: a model of one label gives a ",
                "number, not a class; that is not supported");
    r.model.family = ClassifierFamily::encoder;
    r.model.encoder = net_.encoder;
    r.model.pooling = TextPooling::first;
    if (net_.type == "distilbert") r.model.pooling_activation = Activation::relu;
    r.data.longest = longest(words, std::nullopt, false);
    r.text.words = words.config();
    return {std::move(r), words, params()};
  }

  TaggingModel tags() {
    const Tokenizer words = tokenizer();
    auto r = recipe<TagRecipe>();
    r.data.tags = hub_labels(config_);
    r.data.scheme = r.text.scheme = scheme_of(r.data.tags);
    r.text.letters = false;
    r.text.word_dropout = 0;
    r.text.words = words.config();
    static_cast<TextEncoderConfig&>(r.model) = net_.encoder;
    r.model.crf = false;
    return {std::move(r), words, std::nullopt, params()};
  }

  AnswerModel spans() {
    const Tokenizer words = tokenizer();
    auto r = recipe<AnswerRecipe>();
    r.model.kind = AnswerKind::span;
    r.model.encoder = net_.encoder;
    r.model.match = r.model.overlap = false;
    r.model.told = net_.encoder.kinds >= 2;
    r.data.longest = longest(words, std::nullopt, true);
    r.words = words.config();
    return {std::move(r), words, params()};
  }

  WritingModel next() {
    const Tokenizer words = tokenizer();
    auto r = recipe<LanguageRecipe>();
    static_cast<TextEncoderConfig&>(r.model) = net_.encoder;
    r.model.tied = !head_.names.contains("out.weight");
    r.batch.context = net_.encoder.longest;
    r.text = words.config();
    return {std::move(r), TextFlow(words), params()};
  }

  template <class Model>
  void write(const Model& model, const fs::path& folder) {
    reading_->clear();
    std::vector<NamedTensor> tensors;
    for (const Parameter& parameter : model.params->all()) {
      tensors.push_back({parameter.name, parameter.var.value()});
      parameters_ += parameter.var.value().size();
    }
    if (from_.progress) from_.progress(1, "writing");
    model.save_rest(folder);
    write_safetensors(folder / "model.safetensors", tensors);
  }

  const HubImport& from_;
  Json config_;
  HubWeights weights_;
  HubTextModel net_;
  HubHead has_;
  TaskKind task_;
  HubHeadNames head_;
  std::vector<std::string> notes_;
  Dim parameters_ = 0;
  std::shared_ptr<std::string> reading_ = std::make_shared<std::string>();  // their tensor
};

}  // namespace

Imported import_hub(const HubImport& from) {
  FOVEA_CHECK(fs::is_directory(from.folder), from.folder.string(), ": is no folder; nothing is ",
              "fetched: docs/checkpoints.md tells how to come by one");
  const FolderInMaking folder(from.out);
  try {
    expect_theirs(from.folder);
    Imported imported = is_marian(from.folder) ? import_marian(from, folder.path())
                                               : Importing(from).run(folder.path());
    folder.done();
    return imported;
  } catch (const Error& error) {
    fail_in(from.folder, error);
  }
}

}  // namespace fovea
