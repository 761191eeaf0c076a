#include "fovea/tasks/classify/classification_model.h"

#include <algorithm>
#include <functional>

#include "fovea/ops/softmax.h"
#include "fovea/tasks/model_folder.h"
#include "fovea/text/sentences.h"

namespace fovea {
namespace {

bool is_encoder(const ClassifyRecipe& recipe) {
  return recipe.model.family == ClassifierFamily::encoder;
}

/// Words of a text that are read: also no more than an encoder has places for, beside the marks.
Dim longest_of(const ClassifyRecipe& recipe, const TextLayout& layout) {
  const TextEncoderConfig& encoder = recipe.model.encoder;
  if (!is_encoder(recipe) || encoder.family != TextFamily::transformer ||
      encoder.positions != Positions::learned) {
    return recipe.data.longest;
  }
  const Dim places = recipe.model.pairs ? (encoder.longest - layout.pair_count()) / 2
                                        : encoder.longest - layout.single_count();
  return std::min(recipe.data.longest, places);
}

ClassifyRecipe sized(ClassifyRecipe recipe, const Tokenizer& words) {
  const ClassifyData& data = recipe.data;
  recipe.model.vocabulary = words.size();
  recipe.model.encoder.vocabulary = words.size();
  recipe.model.classes = static_cast<Dim>(data.labels.size());
  FOVEA_CHECK(data.names.empty() || data.names.size() == data.labels.size(),
              "data.names: ", data.names.size(), " names for ", data.labels.size(), " labels");
  FOVEA_CHECK(data.longest > 0 && recipe.text.sentence > 0,
              "data.longest, text.sentence: expected at least one word");
  FOVEA_CHECK(recipe.model.encoder.letters == 0,
              "model.encoder.letters: letters are not read when texts are classified");
  FOVEA_CHECK(longest_of(recipe, words.layout()) > 0,
              "model.encoder.longest: ", recipe.model.encoder.longest,
              " places are too few for the marks around a text; give more");
  return recipe;
}

/// What is read as one piece: sentences, if the model looks at them.
std::vector<std::string> parts_of(const ClassifyRecipe& recipe, std::string_view text) {
  std::string plain = recipe.text.tags ? without_tags(text) : std::string(text);
  if (recipe.model.family == ClassifierFamily::hierarchical) return sentences_of(plain);
  return {std::move(plain)};
}

/// Sentences of at most so many words, all together no more than are read.
template <class Words>
std::vector<Words> limited(const std::vector<Words>& sentences, const ClassifyRecipe& recipe,
                           const TextLayout& layout) {
  const auto longest = recipe.model.family == ClassifierFamily::hierarchical
                           ? static_cast<std::size_t>(recipe.text.sentence)
                           : std::string::npos;
  auto room = static_cast<std::size_t>(longest_of(recipe, layout));
  std::vector<Words> limited;
  for (const Words& words : sentences) {
    for (std::size_t at = 0; at < words.size() && room > 0;) {
      const std::size_t count = std::min({longest, words.size() - at, room});
      const auto begin = words.begin() + static_cast<std::ptrdiff_t>(at);
      limited.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(count));
      at += count;
      room -= count;
    }
  }
  return limited;
}

/// Marks around a text, which becomes one sentence if it has none; `name` makes of an id what words
/// are.
template <class Words, class Name>
void mark(std::vector<Words>& sentences, const Ids& before, const Ids& after, const Name& name) {
  if (sentences.empty()) sentences.emplace_back();
  Words& first = sentences.front();
  std::size_t at = 0;
  for (const std::int32_t id : before) {
    first.insert(first.begin() + static_cast<std::ptrdiff_t>(at++), name(id));
  }
  for (const std::int32_t id : after) sentences.back().push_back(name(id));
}

}  // namespace

ClassificationModel::ClassificationModel(ClassifyRecipe with, Tokenizer text,
                                         std::unique_ptr<Params> weights)
    : recipe(sized(std::move(with), text)),
      words(std::move(text)),
      params(std::move(weights)),
      classifier(TextClassifier::make(params->scope(), recipe.model)) {}

ClassificationModel ClassificationModel::load(const std::filesystem::path& folder,
                                              const std::vector<std::string>& settings, Use use) {
  auto recipe = recipe_of_model<ClassifyRecipe>(folder, settings);
  Tokenizer words = tokenizer_of_model(folder, "words", recipe.model.vocabulary);
  return {std::move(recipe), std::move(words), weights_of_model(folder, use)};
}

std::vector<std::string> ClassificationModel::save_rest(const std::filesystem::path& folder) const {
  return save_config(folder, write_config(recipe), {{"words", words}});
}

const std::string& ClassificationModel::name(Dim label) const {
  const ClassifyData& data = recipe.data;
  return (data.names.empty() ? data.labels : data.names)[static_cast<std::size_t>(label)];
}

EncodedText ClassificationModel::encode(std::string_view text, bool second) const {
  std::vector<Ids> sentences;
  for (const std::string& part : parts_of(recipe, text)) sentences.push_back(words.encode(part));
  sentences = limited(sentences, recipe, words.layout());
  if (is_encoder(recipe)) mark(sentences, before(second), after(second), std::identity());
  EncodedText encoded;
  for (const Ids& sentence : sentences) {
    encoded.words.insert(encoded.words.end(), sentence.begin(), sentence.end());
    encoded.sentences.push_back(static_cast<std::int32_t>(sentence.size()));
  }
  return encoded;
}

std::vector<std::vector<std::string>> ClassificationModel::pieces(std::string_view text,
                                                                  bool second) const {
  std::vector<std::vector<std::string>> sentences;
  for (const std::string& part : parts_of(recipe, text)) sentences.push_back(words.pieces(part));
  sentences = limited(sentences, recipe, words.layout());
  if (is_encoder(recipe)) {
    mark(sentences, before(second), after(second),
         [&](std::int32_t id) { return words.piece(id); });
  }
  return sentences;
}

Ids ClassificationModel::before(bool second) const {
  return second ? Ids() : words.layout().before;
}

Ids ClassificationModel::after(bool second) const {
  const TextLayout& layout = words.layout();
  return !pairs() ? layout.after : second ? layout.behind : layout.between;
}

bool ClassificationModel::too_long(std::string_view text) const {
  const auto longest = static_cast<std::size_t>(longest_of(recipe, words.layout()));
  if (text.size() <= longest) return false;
  std::size_t count = 0;
  for (const std::string& part : parts_of(recipe, text)) count += words.encode(part).size();
  return count > longest;
}

TextBatch batch_of(std::span<const TextIds> texts) {
  std::vector<std::span<const std::int32_t>> sentences, second;
  std::vector<Dim> counts;
  for (const TextIds& text : texts) {
    std::size_t at = 0;
    for (const std::int32_t length : text.sentences) {
      sentences.push_back(text.words.subspan(at, static_cast<std::size_t>(length)));
      at += static_cast<std::size_t>(length);
    }
    counts.push_back(static_cast<Dim>(text.sentences.size()));
    second.push_back(text.second);
  }
  return {joined(sentences), Segments::of_lengths(counts), joined(second)};
}

std::vector<std::vector<float>> classify(const ClassificationModel& model,
                                         std::span<const TextPair> texts,
                                         const std::function<void(Dim)>& progress) {
  const NoTape no_tape;
  std::vector<EncodedText> first, second;
  std::vector<std::int32_t> rows;
  for (const TextPair& text : texts) {
    first.push_back(model.encode(text.first));
    second.push_back(model.pairs() ? model.encode(text.second, true) : EncodedText());
    rows.push_back(
        static_cast<std::int32_t>(first.back().words.size() + second.back().words.size()));
  }
  const Batches batches = Batches::unshuffled(rows, {.rows = model.recipe.batch.rows});
  std::vector<std::vector<float>> all(texts.size());
  Dim done = 0;
  for (Dim b = 0; b < batches.size(); ++b) {
    std::vector<TextIds> together;
    for (const std::uint32_t i : batches[b]) {
      together.push_back({first[i].words, first[i].sentences, second[i].words});
    }
    const Tensor p = softmax(model.classifier->logits(batch_of(together), {})).value();  // (B, C)
    Dim row = 0;
    for (const std::uint32_t i : batches[b]) {
      const float* from = p.view<float>()[row++];
      all[i].assign(from, from + p.cols());
    }
    done += p.rows();
    if (progress) progress(done);
  }
  return all;
}

Dim best_of(std::span<const float> probabilities) {
  return std::max_element(probabilities.begin(), probabilities.end()) - probabilities.begin();
}

}  // namespace fovea
