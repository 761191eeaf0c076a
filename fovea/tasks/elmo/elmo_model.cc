#include "fovea/tasks/elmo/elmo_model.h"

#include <algorithm>

#include "fovea/ops/rows.h"
#include "fovea/tasks/model_folder.h"
#include "fovea/text/sentences.h"

namespace fovea {
namespace {

ElmoRecipe sized(ElmoRecipe recipe, const Tokenizer& words, const Tokenizer& letters) {
  FOVEA_CHECK(recipe.data.longest > 0, "data.longest: expected at least one word, found ",
              recipe.data.longest);
  recipe.model.vocabulary = words.size();
  recipe.model.letters = letters.size();
  return recipe;
}

}  // namespace

ElmoModel::ElmoModel(ElmoRecipe with, Tokenizer of_words, Tokenizer of_letters,
                     std::unique_ptr<Params> weights)
    : recipe(sized(std::move(with), of_words, of_letters)),
      words(std::move(of_words)),
      letters(std::move(of_letters)),
      params(std::move(weights)),
      net(params->scope(), recipe.model) {}

ElmoModel ElmoModel::load(const std::filesystem::path& folder,
                          const std::vector<std::string>& settings, Use use) {
  auto recipe = recipe_of_model<ElmoRecipe>(folder, settings);
  Tokenizer words = tokenizer_of_model(folder, "words", recipe.model.vocabulary);
  Tokenizer letters = tokenizer_of_model(folder, "letters", recipe.model.letters);
  return {std::move(recipe), std::move(words), std::move(letters), weights_of_model(folder, use)};
}

std::vector<std::string> ElmoModel::save_rest(const std::filesystem::path& folder) const {
  return save_config(folder, write_config(recipe), {{"words", words}, {"letters", letters}});
}

std::vector<std::string> ElmoModel::texts_of(std::string_view line) const {
  if (recipe.data.documents) return sentences_of(line);
  return {std::string(line)};
}

ElmoText ElmoModel::encode(std::span<const std::string> of, bool limit) const {
  const std::size_t count =
      limit ? std::min(of.size(), static_cast<std::size_t>(recipe.data.longest)) : of.size();
  ElmoText text;
  text.ids.push_back(words.special().begin);
  text.letters.push_back({letters.special().begin});
  for (const std::string& word : of.first(count)) {
    const Ids id = words.encode(word);
    text.ids.push_back(id.size() == 1 ? id.front() : words.special().unknown);
    Ids& spelled = text.letters.emplace_back(Ids{letters.special().begin});
    const Ids own = letters.encode(word);
    spelled.insert(spelled.end(), own.begin(), own.end());
    spelled.push_back(letters.special().end);
  }
  text.ids.push_back(words.special().end);
  text.letters.push_back({letters.special().end});
  return text;
}

ElmoBatch batch_of(std::span<const ElmoText> texts) {
  std::vector<Ids> ids, letters;
  for (const ElmoText& text : texts) {
    ids.push_back(text.ids);
    letters.insert(letters.end(), text.letters.begin(), text.letters.end());
  }
  const Sequences tokens = joined(ids);
  return {joined(letters), tokens.segments, tokens.ids};
}

std::vector<Tensor> ElmoModel::features(const Sequences& spelled, const Segments& texts) const {
  const NoTape no_tape;
  Ids inside;  // rows without the marks
  for (Dim t = 0; t < texts.count(); ++t) {
    for (Dim row = texts.begin(t) + 1; row + 1 < texts.end(t); ++row) {
      inside.push_back(static_cast<std::int32_t>(row));
    }
  }
  const Tensor rows = Tensor::from<std::int32_t>({static_cast<Dim>(inside.size())}, inside);
  std::vector<Tensor> features;
  for (const Var& layer : net(spelled, texts, {}).joined()) {
    features.push_back(gather_rows(layer, rows).value());
  }
  return features;
}

std::vector<Tensor> ElmoModel::features(std::span<const std::vector<std::string>> texts) const {
  std::vector<ElmoText> encoded;
  for (const std::vector<std::string>& text : texts) encoded.push_back(encode(text, false));
  const ElmoBatch batch = batch_of(encoded);
  return features(batch.letters, batch.texts);
}

}  // namespace fovea
