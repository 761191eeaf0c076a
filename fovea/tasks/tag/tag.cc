#include "fovea/tasks/tag/tag.h"

#include <algorithm>
#include <limits>

#include "fovea/base/table_check.h"
#include "fovea/ops/loss.h"
#include "fovea/ops/softmax.h"
#include "fovea/unicode/utf8.h"

namespace fovea {
namespace {

TagRecipe sized(TagRecipe recipe, const TokenizerMap& tokenizers, const FrozenElmo* elmo) {
  check(recipe);
  recipe.model.vocabulary = tokenizers.at("words").size();
  recipe.model.letters = recipe.text.letters ? tokenizers.at("letters").size() : 0;
  recipe.model.known_layers = elmo ? elmo->model.recipe.model.layers + 1 : 0;
  recipe.model.known_width = elmo ? 2 * elmo->model.recipe.model.projection : 0;
  recipe.model.tags = std::ssize(recipe.data.tags);
  recipe.model.intents = std::ssize(recipe.data.intents);
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

Tensor tensor_of(const Ids& ids) { return Tensor::from<std::int32_t>({std::ssize(ids)}, ids); }

/// Those of the words that are read.
std::span<const std::int32_t> learned_tags(const TagExample& example) {
  return std::span(example.tag_ids).first(example.piece_counts.size());
}

/// Words, or 0 if training never saw one of their tags: a field cannot leave it out of the loss.
double count_tags(Batch<TagExample> batch) {
  std::size_t words = 0;
  for (const TagExample& example : batch) {
    const auto tags = learned_tags(example);
    if (std::any_of(tags.begin(), tags.end(), [](std::int32_t tag) { return tag < 0; })) return 0;
    words += tags.size();
  }
  return static_cast<double>(words);
}

double count_intents(Batch<TagExample> batch) {
  return static_cast<double>(std::count_if(batch.begin(), batch.end(),
                                           [](const TagExample& e) { return e.intent_id >= 0; }));
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

void check(const TagRecipe& recipe) {
  const bool whole = recipe.text.words.kind == TokenizerKind::words;
  FOVEA_CHECK(whole || recipe.model.elmo.empty(), ErrorKind::bad_setting,
              "model.elmo: an ELMo reads whole words; set text.words.kind = \"words\"");
  FOVEA_CHECK(whole || !recipe.text.letters, ErrorKind::bad_setting,
              "text.letters: letters are read of whole words; set text.words.kind = \"words\", or ",
              "text.letters = false");
  TableCheck("text").not_negative("word_dropout", recipe.text.word_dropout);
  TableCheck("objective").not_negative("intent", recipe.objective.intent);
  check(recipe.batch);
  check(recipe.model);
}

TaggingModel::TaggingModel(TagRecipe with, TokenizerMap texts, std::unique_ptr<Params> weights,
                           std::unique_ptr<const FrozenElmo> frozen)
    : ExampleTask{{sized(std::move(with), texts, frozen.get()), texts, std::move(weights)}},
      words(texts.at("words")),
      elmo(std::move(frozen)),
      net(params->scope(), recipe.model),
      rules(rules_of(recipe.data.tags, recipe.text.scheme)) {
  if (recipe.text.letters) letters = texts.at("letters");
}

std::vector<NeededTokenizer> TaggingModel::needed_tokenizers(const TagRecipe& recipe) {
  std::vector<NeededTokenizer> needed = {{"words", recipe.model.vocabulary}};
  if (recipe.text.letters) needed.push_back({"letters", recipe.model.letters});
  return needed;
}

void TaggingModel::take(Part part, const Examples<Example>& examples) {
  if (part != Part::train) return;
  std::vector<double> counts(static_cast<std::size_t>(words.size()), 0);
  for (Dim e = 0; e < examples.size(); ++e) {
    for (const std::int32_t piece : examples[e].pieces) ++counts[static_cast<std::size_t>(piece)];
  }
  const double d = recipe.text.word_dropout;
  dropped_.clear();
  for (const double n : counts) dropped_.push_back(d == 0 ? 0 : static_cast<float>(d / (n + d)));
  for (const std::int32_t mark : words.controls()) dropped_[static_cast<std::size_t>(mark)] = 0;
}

TagExample TaggingModel::view(const Examples<Example>& examples, const Visit& visit) const {
  Example example = examples[visit.example];
  if (visit.part != Part::train) return example;
  const Draws draws = {recipe.train.seed ^ 0xd809,
                       static_cast<std::uint64_t>(visit.epoch) << 32 | visit.example};
  for (std::size_t i = 0; i < example.pieces.size(); ++i) {
    std::int32_t& piece = example.pieces[i];
    if (draws.uniform(i) < dropped_[static_cast<std::size_t>(piece)]) {
      piece = words.special().unknown;
    }
  }
  return example;
}

TextLayout TaggingModel::layout() const {
  return words.config().kind == TokenizerKind::hub ? words.layout() : TextLayout();
}

TagExample TaggingModel::encode(const Words& text) const {
  const TextLayout marks = layout();
  const std::size_t longest = longest_of(recipe.model) - marks.after.size();
  const std::vector<Ids> all = words.encode_words(text);
  Example example;
  example.words = static_cast<std::int32_t>(text.size());
  append(example.pieces, marks.before);
  for (std::size_t w = 0; w < text.size(); ++w) {
    Ids pieces = all[w];
    if (pieces.empty()) pieces = {words.special().unknown};
    if (words.config().kind == TokenizerKind::words) pieces.resize(1);
    if (example.pieces.size() + pieces.size() > longest) break;
    append(example.pieces, pieces);
    example.piece_counts.push_back(static_cast<std::int32_t>(pieces.size()));
    if (letters) example.letters.push_back(letters->encode(text[w]));
  }
  append(example.pieces, marks.after);
  if (elmo) {
    example.elmo = elmo->model.encode(std::span(text).first(example.piece_counts.size()));
  }
  return example;
}

TagQuery TaggingModel::query_of(std::string text, Words words) const {
  Example example = encode(words);
  return {std::move(example), std::move(text), std::move(words)};
}

Ids TaggingModel::ids_of_tags(const Words& tags) const {
  Ids ids;
  for (const std::string& tag : tags_of(entities_of(tags), std::ssize(tags), recipe.text.scheme)) {
    ids.push_back(place_of(tag, recipe.data.tags));
  }
  return ids;
}

std::int32_t TaggingModel::id_of_intent(const std::string& intent) const {
  return place_of(intent, recipe.data.intents);
}

TagBatch TaggingModel::batch_of(Batch<Example> examples) const {
  const auto before = static_cast<std::int32_t>(layout().before.size());
  std::vector<std::span<const std::int32_t>> pieces, spelled;
  std::vector<ElmoExample> of_elmo;
  std::vector<Dim> words;
  Ids firsts;
  std::int32_t end = 0;  // of the rows of a text
  for (const Example& example : examples) {
    std::int32_t row = end + before;
    for (const std::int32_t count : example.piece_counts) {
      firsts.push_back(row);
      row += count;
    }
    end += static_cast<std::int32_t>(example.pieces.size());
    pieces.emplace_back(example.pieces);
    words.push_back(std::ssize(example.piece_counts));
    spelled.insert(spelled.end(), example.letters.begin(), example.letters.end());
    if (elmo) of_elmo.push_back(example.elmo);
  }
  TagBatch batch{.rows = {.tokens = joined(pieces), .letters = joined(spelled)},
                 .words = Segments::of_lengths(words),
                 .firsts = {}};
  if (std::ssize(firsts) < end) batch.firsts = tensor_of(firsts);
  if (elmo) {
    for (const Tensor& layer : elmo->model.features(of_elmo)) batch.rows.known.emplace_back(layer);
  }
  return batch;
}

TagForward TaggingModel::forward(Batch<Example> examples, const Pass& pass) const {
  const TagBatch batch = batch_of(examples);
  return {batch.words, net(batch, pass)};
}

std::vector<Objective<TaggingModel>> TaggingModel::objectives() const {
  std::vector<Objective<TaggingModel>> all;
  all.push_back({.part = {"loss"},
                 .count = count_tags,
                 .sum = [this](Batch<Example> batch, const Forward& f) {
                   Ids tags;
                   for (const Example& example : batch) append(tags, learned_tags(example));
                   return net.tag_loss(f.scores.tags, f.words, tensor_of(tags));
                 }});
  if (!has_intents()) return all;
  all.push_back({.part = {"loss.intent", recipe.objective.intent},
                 .count = count_intents,
                 .sum = [](Batch<Example> batch, const Forward& f) {
                   Ids intents;  // negative ones have no loss
                   for (const Example& example : batch) intents.push_back(example.intent_id);
                   return cross_entropy(f.scores.intents, tensor_of(intents),
                                        {.reduction = Reduction::sum});
                 }});
  return all;
}

std::vector<TaggedText> TaggingModel::outputs(Batch<Example> batch, const Forward& f) const {
  const Tensor best = net.best(f.scores.tags.value(), f.words, rules);                  // (N)
  const Tensor intents = has_intents() ? softmax(f.scores.intents).value() : Tensor();  // (B, I)
  std::vector<Output> all(batch.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto text = static_cast<Dim>(i);
    Output& found = all[i];
    Words tags;
    for (Dim r = f.words.begin(text); r < f.words.end(text); ++r) {
      tags.push_back(recipe.data.tags[static_cast<std::size_t>(best.data<std::int32_t>()[r])]);
    }
    found.tags = tags_of(entities_of(tags), std::ssize(tags), recipe.data.scheme);
    found.tags.resize(static_cast<std::size_t>(batch[i].words), "O");
    if (!has_intents() || tags.empty()) continue;
    const float* p = intents.view<float>()[text];
    const auto likeliest = std::max_element(p, p + intents.cols()) - p;
    found.intent = recipe.data.intents[static_cast<std::size_t>(likeliest)];
    found.intent_probability = p[likeliest];
  }
  return all;
}

}  // namespace fovea
