#include "fovea/tasks/embed/embed_workload.h"

#include <algorithm>

#include "fovea/tasks/encoder_record.h"
#include "fovea/tasks/pretrained.h"
#include "fovea/tasks/shown_examples.h"

namespace fovea {
namespace {

EmbeddingModel new_model(EmbedRecipe recipe, const std::filesystem::path& base,
                         const std::filesystem::path& folder, bool resume) {
  locate(recipe.data, base);
  auto [words, params] =
      begin_with(recipe.model.from, recipe.model.encoder, recipe.words, {base, folder, resume},
                 recipe.train.seed, [&] { return train_words(recipe, base); });
  return {std::move(recipe), std::move(words), std::move(params)};
}

TextRows text_rows(const Corpus& corpus, std::span<const std::uint32_t> examples, Dim field) {
  std::vector<std::span<const std::int32_t>> texts;
  for (const std::uint32_t e : examples) texts.push_back(corpus.ids(e, field));
  return {joined(texts)};
}

}  // namespace

std::vector<Ids> texts_of(const Corpus& corpus, Dim field) {
  std::vector<Ids> texts;
  for (Dim e = 0; e < corpus.size(); ++e) {
    const auto ids = corpus.ids(e, field);
    texts.emplace_back(ids.begin(), ids.end());
  }
  return texts;
}

EmbedWorkload::EmbedWorkload(const EmbedRecipe& recipe, const std::filesystem::path& base,
                             const std::filesystem::path& folder, bool resume)
    : model_(new_model(recipe, base, folder, resume)) {
  std::filesystem::create_directories(folder);
  const auto read = [&](Part part) { return read_corpus(model_, recipe.data, part, base, folder); };
  std::optional<Corpus> held_out;
  if (has_part(recipe.data, Part::dev)) held_out = read(Part::dev);
  take(read(Part::train), std::move(held_out), {0, 1}, recipe.batch,
       model_.recipe.data.train.front());
}

std::vector<Var> EmbedWorkload::losses(Dim batch, const Pass& pass) {
  const auto examples = examples_of(batch);
  const Var a = model_.encoder(text_rows(train(), examples, 0), pass);  // (B, W)
  const Var b = model_.encoder(text_rows(train(), examples, 1), pass);
  return {model_.encoder.loss(a, b)};
}

std::vector<std::string> EmbedWorkload::figure_names() const {
  if (!dev()) return {};
  return {"accuracy"};
}

std::vector<Figure> EmbedWorkload::validate() {
  if (!dev()) return {};
  const Tensor a = embed(model_, texts_of(*dev(), 0)), b = embed(model_, texts_of(*dev(), 1));
  const double found = static_cast<double>(found_own(a, b) + found_own(b, a));
  return {{"accuracy", 100 * found / static_cast<double>(2 * dev()->size()), true}};
}

std::vector<std::string> EmbedWorkload::show(Dim step) {
  if (!dev()) return {};
  const std::vector<Ids> all = texts_of(*dev(), 0), others = texts_of(*dev(), 1);
  const auto texts = std::span(all).first(std::min(ShownExamples::most, all.size()));
  const auto found = nearest(embed(model_, texts), embed(model_, others), 1);
  ShownExamples shown;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Ids& next = others[static_cast<std::size_t>(found[i].front().row)];
    shown.samples.push_back(
        {model_.words.decode(texts[i]), model_.words.decode(next), model_.words.decode(others[i])});
  }
  record_last_look(*model_.encoder.encoder, model_.words, texts[0], shown.first);
  return shown.lines(step);
}

}  // namespace fovea
