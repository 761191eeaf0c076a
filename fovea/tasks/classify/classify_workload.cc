#include "fovea/tasks/classify/classify_workload.h"

#include <algorithm>

#include "fovea/metrics/classification.h"
#include "fovea/ops/loss.h"
#include "fovea/ops/reduce.h"
#include "fovea/tasks/classify/classify_record.h"
#include "fovea/tasks/pretrained.h"
#include "fovea/tasks/shown_examples.h"

namespace fovea {
namespace {

constexpr Dim label_field = 0, words_field = 1, sentences_field = 2, second_field = 3;

ClassificationModel new_model(ClassifyRecipe recipe, const std::filesystem::path& base,
                              const std::filesystem::path& folder, bool resume) {
  ClassifyModel& model = recipe.model;
  locate(recipe.data, base);
  model.pairs = model.family == ClassifierFamily::encoder && recipe.data.train.size() == 3;
  if (recipe.data.labels.empty()) recipe.data.labels = labels_in(recipe, base);
  FOVEA_CHECK(model.from.empty() || model.family == ClassifierFamily::encoder,
              "model.from: only family = \"encoder\" can begin with another model");
  auto [words, params] =
      begin_with(model.from, model.encoder, recipe.text.words, {base, folder, resume},
                 recipe.train.seed, [&] { return train_words(recipe, base); });
  return {std::move(recipe), std::move(words), std::move(params)};
}

Tensor labels_of(const Corpus& corpus, std::span<const std::uint32_t> examples) {
  Ids labels;
  for (const std::uint32_t e : examples) labels.push_back(corpus.ids(e, label_field)[0]);
  return Tensor::from<std::int32_t>({static_cast<Dim>(labels.size())}, labels);
}

TextIds text_of(const Corpus& corpus, std::uint32_t example) {
  return {corpus.ids(example, words_field), corpus.ids(example, sentences_field),
          corpus.ids(example, second_field)};
}

}  // namespace

ClassifyWorkload::ClassifyWorkload(const ClassifyRecipe& recipe, const std::filesystem::path& base,
                                   const std::filesystem::path& folder, bool resume)
    : model_(new_model(recipe, base, folder, resume)) {
  std::filesystem::create_directories(folder);
  std::optional<Corpus> dev;
  if (has_part(recipe.data, Part::dev)) dev = read_corpus(model_, Part::dev, base, folder);
  take(read_corpus(model_, Part::train, base, folder, &left_out()), std::move(dev),
       {words_field, second_field}, recipe.batch, model_.recipe.data.train.front());
}

bool ClassifyWorkload::changes() const { return model_.recipe.text.word_dropout > 0; }

Ids ClassifyWorkload::changed(std::span<const std::int32_t> words, std::uint32_t example,
                              bool second) const {
  const std::uint64_t site =
      static_cast<std::uint64_t>(epoch()) << 33 | static_cast<std::uint64_t>(example) << 1;
  const Draws drops = {model_.recipe.train.seed ^ 0xd809, site | (second ? 1 : 0)};
  const auto dropped = static_cast<float>(model_.recipe.text.word_dropout);
  Ids read(words.begin(), words.end());
  for (std::size_t i = 0; i < read.size(); ++i) {
    const bool mark = model_.words.is_control(read[i]);
    if (!mark && drops.uniform(i) < dropped) read[i] = model_.words.special().unknown;
  }
  return read;
}

std::vector<Var> ClassifyWorkload::losses(Dim batch, const Pass& pass) {
  const auto examples = examples_of(batch);
  std::vector<TextIds> texts;
  std::vector<Ids> read;  // what texts look at
  read.reserve(2 * examples.size());
  for (const std::uint32_t e : examples) {
    texts.push_back(text_of(train(), e));
    if (!changes()) continue;
    TextIds& text = texts.back();
    text.words = read.emplace_back(changed(text.words, e, false));
    text.second = read.emplace_back(changed(text.second, e, true));
  }
  const Var logits = model_.classifier->logits(batch_of(texts), pass);
  return {
      cross_entropy(logits, labels_of(train(), examples),
                    {.smoothing = model_.recipe.objective.smoothing, .reduction = Reduction::sum})};
}

std::vector<std::string> ClassifyWorkload::figure_names() const {
  if (!dev()) return {};
  return {"loss", "accuracy", "macro-f1"};
}

std::vector<Figure> ClassifyWorkload::validate() {
  if (!dev()) return {};
  const NoTape no_tape;
  const Batches batches = dev_batches();
  Confusion confusion(model_.recipe.model.classes);
  double loss = 0;
  for (Dim b = 0; b < batches.size(); ++b) {
    std::vector<TextIds> texts;
    for (const std::uint32_t e : batches[b]) texts.push_back(text_of(*dev(), e));
    const Var logits = model_.classifier->logits(batch_of(texts), {});
    const Tensor labels = labels_of(*dev(), batches[b]), answers = argmax(logits.value());
    loss += cross_entropy(logits, labels, {.reduction = Reduction::sum}).item();
    for (Dim i = 0; i < labels.size(); ++i) {
      confusion.add(labels.data<std::int32_t>()[i], answers.data<std::int32_t>()[i]);
    }
  }
  return {{"loss", loss / static_cast<double>(dev()->size()), false},
          {"accuracy", 100 * confusion.accuracy(), true},
          {"macro-f1", 100 * confusion.macro_f1(), true}};
}

std::vector<std::string> ClassifyWorkload::show(Dim step) {
  const Corpus& corpus = dev() ? *dev() : train();
  ShownExamples shown;
  for (std::uint32_t e = 0; e < std::min<Dim>(ShownExamples::most, corpus.size()); ++e) {
    const TextIds ids = text_of(corpus, e);
    const TextPair text{model_.words.decode(ids.words), model_.words.decode(ids.second)};
    const Tensor label = labels_of(corpus, std::span(&e, 1));
    shown.add(model_.pairs() ? text.first + " | " + text.second : text.first,
              record_of(model_, text, {}), model_.name(label.data<std::int32_t>()[0]));
  }
  return shown.lines(step);
}

}  // namespace fovea
