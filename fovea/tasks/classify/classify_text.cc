/// Texts as models that classify read them: cut into sentences, limited, with marks around them.
#include <algorithm>
#include <functional>

#include "fovea/tasks/classify/classify.h"
#include "fovea/text/sentences.h"

namespace fovea {
namespace {

bool has_encoder(const ClassifyRecipe& recipe) {
  return recipe.model.family == ClassifierFamily::encoder;
}

bool reads_sentences(const ClassifyRecipe& recipe) {
  return recipe.model.family == ClassifierFamily::hierarchical;
}

/// The parts of a text that are encoded one by one: sentences, if the model reads them.
std::vector<std::string> parts_of(const ClassifyRecipe& recipe, std::string_view text) {
  std::string plain = recipe.text.tags ? without_tags(text) : std::string(text);
  if (reads_sentences(recipe)) return sentences_of(plain);
  return {std::move(plain)};
}

/// Sentences of limited length, which together have at most `room` words.
template <class Words>
std::vector<Words> limited(const std::vector<Words>& sentences, const ClassifyRecipe& recipe,
                           std::size_t room) {
  const auto longest =
      reads_sentences(recipe) ? static_cast<std::size_t>(recipe.text.sentence) : std::string::npos;
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

/// The sentences of one text as the model reads them; `name` turns the id of a mark into a word.
template <class Words, class Name>
std::vector<Words> as_read(const Classify& task, const std::vector<Words>& sentences, bool second,
                           const Name& name) {
  std::vector<Words> read =
      limited(sentences, task.recipe, static_cast<std::size_t>(task.max_words()));
  if (!has_encoder(task.recipe)) return read;
  if (read.empty()) read.emplace_back();
  const TextLayout& layout = task.words.layout();
  Words before;
  if (!second) std::ranges::transform(layout.before, std::back_inserter(before), name);
  read.front().insert(read.front().begin(), before.begin(), before.end());
  const Ids& after = !task.pairs() ? layout.after : second ? layout.behind : layout.between;
  std::ranges::transform(after, std::back_inserter(read.back()), name);
  return read;
}

}  // namespace

Dim Classify::max_words() const {
  const TextEncoderConfig& encoder = recipe.model.encoder;
  const TextLayout& layout = words.layout();
  if (!has_encoder(recipe) || encoder.family != TextFamily::transformer ||
      encoder.positions != Positions::learned) {
    return recipe.data.longest;
  }
  const Dim positions = pairs() ? (encoder.longest - layout.pair_count()) / 2
                                : encoder.longest - layout.single_count();
  return std::min(recipe.data.longest, positions);
}

EncodedText Classify::encode(std::string_view text, bool second) const {
  std::vector<Ids> sentences;
  Dim count = 0;
  for (const std::string& part : parts_of(recipe, text)) {
    count += std::ssize(sentences.emplace_back(words.encode(part)));
  }
  EncodedText encoded{.words = {}, .sentences = {}, .cut = count > max_words()};
  for (const Ids& sentence : as_read(*this, sentences, second, std::identity())) {
    encoded.words.insert(encoded.words.end(), sentence.begin(), sentence.end());
    encoded.sentences.push_back(static_cast<std::int32_t>(sentence.size()));
  }
  return encoded;
}

std::vector<std::vector<std::string>> Classify::pieces(std::string_view text, bool second) const {
  std::vector<std::vector<std::string>> sentences;
  for (const std::string& part : parts_of(recipe, text)) sentences.push_back(words.pieces(part));
  return as_read(*this, sentences, second, [&](std::int32_t id) { return words.piece(id); });
}

Classify::Query Classify::query_of(std::string first, std::string second) const {
  EncodedText one = encode(first), other = pairs() ? encode(second, true) : EncodedText();
  return {.example = {.words = std::move(one.words),
                      .sentences = std::move(one.sentences),
                      .second = std::move(other.words)},
          .first = std::move(first),
          .second = std::move(second),
          .cut = one.cut || other.cut};
}

}  // namespace fovea
