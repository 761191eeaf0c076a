#include "fovea/tasks/cloze/cloze_workload.h"

#include <algorithm>
#include <cmath>

#include "fovea/ops/elementwise.h"
#include "fovea/ops/reduce.h"
#include "fovea/tasks/cloze/cloze_record.h"
#include "fovea/tasks/pretrained.h"
#include "fovea/tasks/shown_examples.h"

namespace fovea {
namespace {

constexpr Dim document_field = 0, question_field = 1, answer_field = 3;
constexpr double least = 1e-10;  // of a probability, so that its logarithm is one

ClozeModel new_model(ClozeRecipe recipe, const std::filesystem::path& base,
                     const std::filesystem::path& folder, bool resume) {
  locate(recipe.data, base);
  auto [words, params] = begin_anew({base, folder, resume}, recipe.train.seed,
                                    [&] { return train_words(recipe, base); });
  return {std::move(recipe), std::move(words), std::move(params)};
}

std::vector<ClozeIds> texts_of(const Corpus& corpus, std::span<const std::uint32_t> examples) {
  std::vector<ClozeIds> texts;
  for (const std::uint32_t e : examples) texts.emplace_back(corpus, e);
  return texts;
}

/// The rows of a batch at which the answer of each example stands.
Sequences places_of(const Corpus& corpus, std::span<const std::uint32_t> examples) {
  std::vector<Ids> places;
  std::int32_t row = 0;
  for (const std::uint32_t e : examples) {
    Ids& here = places.emplace_back();
    const std::int32_t answer = corpus.ids(e, answer_field)[0];
    for (const std::int32_t first : ClozeIds(corpus, e).same) {
      if (first == answer) here.push_back(row);
      ++row;
    }
  }
  return joined(places);
}

}  // namespace

ClozeWorkload::ClozeWorkload(const ClozeRecipe& recipe, const std::filesystem::path& base,
                             const std::filesystem::path& folder, bool resume)
    : model_(new_model(recipe, base, folder, resume)) {
  std::filesystem::create_directories(folder);
  std::optional<Corpus> dev;
  if (has_part(recipe.data, Part::dev)) {
    dev = read_corpus(model_, Part::dev, base, folder);
    shown_ = first_examples(model_, Part::dev, base, ShownExamples::most);
  }
  take(read_corpus(model_, Part::train, base, folder, &left_out()), std::move(dev),
       {document_field, question_field}, recipe.batch, model_.recipe.data.train.front());
}

std::vector<Var> ClozeWorkload::losses(Dim batch, const Pass& pass) {
  const auto examples = examples_of(batch);
  const Var pointed = model_.point(texts_of(train(), examples), pass);
  const Var p = probability_of(pointed, places_of(train(), examples));  // (S, 1)
  return {scale(sum(log(add_scalar(p, least))), -1)};
}

std::vector<std::string> ClozeWorkload::figure_names() const {
  if (!dev()) return {};
  return {"loss", "accuracy"};
}

std::vector<Figure> ClozeWorkload::validate() {
  if (!dev()) return {};
  std::vector<ClozeIds> texts;
  for (Dim e = 0; e < dev()->size(); ++e) texts.emplace_back(*dev(), static_cast<std::uint32_t>(e));
  const auto answers = fill(model_, texts);
  double loss = 0, answered = 0, right = 0;
  for (Dim e = 0; e < dev()->size(); ++e) {
    if (dev()->length(e, answer_field) == 0) continue;  // not in what is read: wrong
    const Dim place = dev()->ids(e, answer_field)[0];
    const std::vector<RankedWord>& words = answers[static_cast<std::size_t>(e)];
    right += words.front().place == place;
    for (const RankedWord& word : words) {
      if (word.place == place) loss -= std::log(word.probability + least);
    }
    ++answered;
  }
  return {{"loss", loss / std::max(answered, 1.0), false},
          {"accuracy", 100 * right / static_cast<double>(dev()->size()), true}};
}

std::vector<std::string> ClozeWorkload::show(Dim step) {
  ShownExamples shown;
  for (const ClozeExample& one : shown_) {
    shown.add(one.text.question, record_of(model_, one.text, {}),
              model_.words.normalise(one.answer));
  }
  return shown.lines(step);
}

}  // namespace fovea
