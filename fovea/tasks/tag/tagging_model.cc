#include "fovea/tasks/tag/tagging_model.h"

#include <algorithm>
#include <limits>

#include "fovea/ops/reduce.h"
#include "fovea/ops/softmax.h"
#include "fovea/tasks/model_folder.h"
#include "fovea/unicode/utf8.h"

namespace fovea {
namespace {

TagRecipe sized(TagRecipe recipe, const Tokenizer& words, const std::optional<Tokenizer>& letters,
                const FrozenElmo* elmo) {
  FOVEA_CHECK(!elmo || words.config().kind == TokenizerKind::words,
              "model.elmo: it knows whole words; take text.words.kind = \"words\"");
  FOVEA_CHECK(
      !letters || words.config().kind == TokenizerKind::words,
      "text.letters: letters are read of whole words; take text.words.kind = \"words\", or ",
      "set text.letters = false");
  recipe.model.vocabulary = words.size();
  recipe.model.letters = letters ? letters->size() : 0;
  recipe.model.known_layers = elmo ? elmo->model.recipe.model.layers + 1 : 0;
  recipe.model.known_width = elmo ? 2 * elmo->model.recipe.model.projection : 0;
  recipe.model.tags = static_cast<Dim>(recipe.data.tags.size());
  recipe.model.intents = static_cast<Dim>(recipe.data.intents.size());
  return recipe;
}

TagRules rules_of(const Words& tags, TagScheme scheme) {
  TagRules rules;
  for (const std::string& tag : tags) {
    rules.begins.push_back(may_follow("O", tag, scheme));
    rules.ends.push_back(may_follow(tag, "O", scheme));
    for (const std::string& next : tags) rules.follows.push_back(may_follow(tag, next, scheme));
  }
  return rules;
}

std::int32_t place_of(const std::string& name, const Words& names) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<std::int32_t>(found - names.begin());
}

/// Rows that the model can read.
std::size_t longest_of(const TaggerConfig& model) {
  const bool limited =
      model.family == TextFamily::transformer && model.positions == Positions::learned;
  return limited ? static_cast<std::size_t>(model.longest)
                 : std::numeric_limits<std::size_t>::max();
}

void append(Ids& to, std::span<const std::int32_t> ids) {
  to.insert(to.end(), ids.begin(), ids.end());
}

/// `before`: marks that stand before the first word of each text.
TagBatch batch_of(std::span<const WordIds> texts, Dim before) {
  std::vector<std::span<const std::int32_t>> pieces;
  std::vector<Dim> words, letter_counts;
  Ids firsts, letters;
  std::int32_t row = 0;
  for (const WordIds& text : texts) {
    const std::int32_t end = row + static_cast<std::int32_t>(text.pieces.size());
    row += static_cast<std::int32_t>(before);
    pieces.push_back(text.pieces);
    words.push_back(static_cast<Dim>(text.piece_counts.size()));
    for (const std::int32_t count : text.piece_counts) {
      firsts.push_back(row);
      row += count;
    }
    row = end;
    append(letters, text.letters);
    letter_counts.insert(letter_counts.end(), text.letter_counts.begin(), text.letter_counts.end());
  }
  TagBatch batch{.rows = {joined(pieces)}, .words = Segments::of_lengths(words), .firsts = {}};
  batch.rows.letters = {Tensor::from<std::int32_t>({static_cast<Dim>(letters.size())}, letters),
                        Segments::of_lengths(letter_counts)};
  if (static_cast<Dim>(firsts.size()) < row) {
    batch.firsts = Tensor::from<std::int32_t>({static_cast<Dim>(firsts.size())}, firsts);
  }
  return batch;
}

/// What ELMo knows of the words of all texts.
std::vector<Var> known_of(const ElmoModel& elmo, std::span<const WordIds> texts) {
  std::vector<ElmoExample> read;
  for (const WordIds& text : texts) {
    ElmoExample& one = read.emplace_back();
    one.ids.resize(text.elmo_letter_counts.size());
    std::span<const std::int32_t> rest = text.elmo_letters;
    for (const std::int32_t count : text.elmo_letter_counts) {
      const auto spelled = rest.first(static_cast<std::size_t>(count));
      one.letters.emplace_back(spelled.begin(), spelled.end());
      rest = rest.subspan(spelled.size());
    }
  }
  std::vector<Var> known;
  for (const Tensor& layer : elmo.features(read)) known.emplace_back(layer);
  return known;
}

}  // namespace

Words words_in(std::string_view line) {
  Words words;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t from = at;
    if (!is_space(next_code_point(line, at))) continue;
    if (from > begin) words.emplace_back(line.substr(begin, from - begin));
    begin = at;
  }
  if (line.size() > begin) words.emplace_back(line.substr(begin));
  return words;
}

TaggingModel::TaggingModel(TagRecipe with, Tokenizer text, std::optional<Tokenizer> characters,
                           std::unique_ptr<Params> weights,
                           std::unique_ptr<const FrozenElmo> frozen)
    : recipe(sized(std::move(with), text, characters, frozen.get())),
      words(std::move(text)),
      letters(std::move(characters)),
      elmo(std::move(frozen)),
      params(std::move(weights)),
      tagger(std::make_unique<Tagger>(params->scope(), recipe.model)),
      rules(rules_of(recipe.data.tags, recipe.text.scheme)) {}

TaggingModel TaggingModel::load(const std::filesystem::path& folder,
                                const std::vector<std::string>& settings, Use use) {
  auto recipe = recipe_of_model<TagRecipe>(folder, settings);
  Tokenizer words = tokenizer_of_model(folder, "words", recipe.model.vocabulary);
  std::optional<Tokenizer> letters;
  if (recipe.text.letters) letters = tokenizer_of_model(folder, "letters", recipe.model.letters);
  std::unique_ptr<const FrozenElmo> elmo;
  if (!recipe.model.elmo.empty()) elmo = std::make_unique<FrozenElmo>(folder / elmo_folder);
  return {std::move(recipe), std::move(words), std::move(letters), weights_of_model(folder, use),
          std::move(elmo)};
}

std::vector<std::string> TaggingModel::save_rest(const std::filesystem::path& folder) const {
  TokenizerMap texts = {{"words", words}};
  if (letters) texts.emplace("letters", *letters);
  if (elmo) {
    take_along(elmo->folder, folder / elmo_folder,
               {"config.json", "model.safetensors", "words.json", "letters.json"});
  }
  std::vector<std::string> files = save_config(folder, write_config(recipe), texts);
  if (elmo) files.push_back(elmo_folder);
  return files;
}

EncodedWords TaggingModel::encode(const Words& text) const {
  const TextLayout marks = layout();
  const std::size_t longest = longest_of(recipe.model) - marks.after.size();
  const std::vector<Ids> all = words.encode_words(text);
  EncodedWords encoded;
  append(encoded.pieces, marks.before);
  for (std::size_t w = 0; w < text.size(); ++w) {
    const std::string& word = text[w];
    Ids pieces = all[w];
    if (pieces.empty()) pieces = {words.special().unknown};
    if (words.config().kind == TokenizerKind::words) pieces.resize(1);
    if (encoded.pieces.size() + pieces.size() > longest) break;
    append(encoded.pieces, pieces);
    encoded.piece_counts.push_back(static_cast<std::int32_t>(pieces.size()));
    if (!letters) continue;
    const Ids spelled = letters->encode(word);
    append(encoded.letters, spelled);
    encoded.letter_counts.push_back(static_cast<std::int32_t>(spelled.size()));
  }
  append(encoded.pieces, marks.after);
  if (!elmo) return encoded;
  const auto read = std::span(text).first(encoded.piece_counts.size());
  for (const Ids& spelled : elmo->model.encode(read).letters) {
    append(encoded.elmo_letters, spelled);
    encoded.elmo_letter_counts.push_back(static_cast<std::int32_t>(spelled.size()));
  }
  return encoded;
}

TagBatch TaggingModel::batch(std::span<const WordIds> texts) const {
  TagBatch batch = batch_of(texts, marks_before());
  if (elmo) batch.rows.known = known_of(elmo->model, texts);
  return batch;
}

TextLayout TaggingModel::layout() const {
  return words.config().kind == TokenizerKind::hub ? words.layout() : TextLayout();
}

Ids TaggingModel::tag_ids(const Words& tags) const {
  Ids ids;
  const auto count = static_cast<Dim>(tags.size());
  for (const std::string& tag : tags_of(entities_of(tags), count, recipe.text.scheme)) {
    ids.push_back(place_of(tag, recipe.data.tags));
  }
  return ids;
}

std::int32_t TaggingModel::intent_id(const std::string& intent) const {
  return place_of(intent, recipe.data.intents);
}

std::vector<TaggedText> TaggingModel::read_out(const Tagger::Scores& scores,
                                               const Segments& texts) const {
  const Tensor best = tagger->best(scores.tags.value(), texts, rules);                // (N)
  const Tensor intents = has_intents() ? softmax(scores.intents).value() : Tensor();  // (B, I)
  std::vector<TaggedText> all(static_cast<std::size_t>(texts.count()));
  for (Dim s = 0; s < texts.count(); ++s) {
    TaggedText& answer = all[static_cast<std::size_t>(s)];
    Words tags;
    for (Dim r = texts.begin(s); r < texts.end(s); ++r) {
      const auto tag = static_cast<std::size_t>(best.data<std::int32_t>()[r]);
      tags.push_back(recipe.data.tags[tag]);
    }
    answer.tags = tags_of(entities_of(tags), texts.length(s), recipe.data.scheme);
    if (!has_intents() || tags.empty()) continue;
    const float* p = intents.view<float>()[s];
    const auto likeliest = std::max_element(p, p + intents.cols()) - p;
    answer.intent = recipe.data.intents[static_cast<std::size_t>(likeliest)];
    answer.intent_probability = p[likeliest];
  }
  return all;
}

std::vector<TaggedText> tag(const TaggingModel& model, std::span<const Words> texts,
                            const std::function<void(Dim)>& progress) {
  const NoTape no_tape;
  std::vector<EncodedWords> encoded;
  std::vector<std::int32_t> rows;
  for (const Words& text : texts) {
    encoded.push_back(model.encode(text));
    rows.push_back(static_cast<std::int32_t>(encoded.back().pieces.size()));
  }
  const Batches batches = Batches::unshuffled(rows, {.rows = model.recipe.batch.rows});
  std::vector<TaggedText> all(texts.size());
  Dim done = 0;
  for (Dim b = 0; b < batches.size(); ++b) {
    std::vector<WordIds> together;
    for (const std::uint32_t i : batches[b]) together.emplace_back(encoded[i]);
    const TagBatch batch = model.batch(together);
    std::vector<TaggedText> found = model.read_out((*model.tagger)(batch, {}), batch.words);
    for (std::size_t k = 0; k < found.size(); ++k) {
      const std::uint32_t i = batches[b][k];
      all[i] = std::move(found[k]);
      all[i].tags.resize(texts[i].size(), "O");
    }
    done += static_cast<Dim>(found.size());
    if (progress) progress(done);
  }
  return all;
}

}  // namespace fovea
