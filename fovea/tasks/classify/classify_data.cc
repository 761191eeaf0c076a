#include "fovea/tasks/classify/classify_data.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <unordered_set>

#include "fovea/text/sentences.h"

namespace fovea {
namespace {

constexpr std::size_t label_column = 0, first_column = 1, second_column = 2;

PartReader reader_of(const ClassifyRecipe& recipe, Part part, const std::filesystem::path& base) {
  const bool pairs = reads_pairs(recipe.model);
  const std::size_t files = files_of(recipe.data, part).size(), wanted = pairs ? 3 : 2;
  FOVEA_CHECK(!has_part(recipe.data, part) || files == wanted, "data.", name_of(part),
              ": expected ", wanted, " files (labels, texts", pairs ? ", second texts" : "",
              ") for ", name_of(recipe.model.family), ", found ", files);
  return {recipe.data, part, base, {.key = first_column}};
}

/// By its label, or by its name if no other class has it. Labels go first: a name that is also the
/// label of another class says nothing.
std::optional<Dim> class_of(const ClassifyData& data, const std::string& called) {
  const auto place_in = [&](const std::vector<std::string>& all) {
    return std::find(all.begin(), all.end(), called) - all.begin();
  };
  const Dim label = place_in(data.labels);
  if (label < std::ssize(data.labels)) return label;
  if (std::count(data.names.begin(), data.names.end(), called) != 1) return std::nullopt;
  return place_in(data.names);
}

/// "0 (neg), 1 (pos)".
std::string known_classes(const ClassifyData& data) {
  std::string known;
  for (std::size_t i = 0; i < data.labels.size(); ++i) {
    known += concat(known.empty() ? "" : ", ", data.labels[i]);
    if (i < data.names.size()) known += concat(" (", data.names[i], ")");
  }
  return known;
}

/// What tells texts apart.
std::string key_of(const TextPair& text) { return text.first + "\t" + text.second; }

/// The texts of dev and test that have files of their own.
std::unordered_set<std::string> held_out(const ClassifyRecipe& recipe,
                                         const std::filesystem::path& base) {
  std::unordered_set<std::string> texts;
  for (const Part part : {Part::dev, Part::test}) {
    if (&files_of(recipe.data, part) == &recipe.data.train) continue;
    LabelledReader reader(recipe, part, base);
    for (LabelledText example; reader.next(example);) texts.insert(key_of(example.text));
  }
  return texts;
}

}  // namespace

LabelledReader::LabelledReader(const ClassifyRecipe& recipe, Part part,
                               const std::filesystem::path& base)
    : reader_(reader_of(recipe, part, base)),
      file_(files_of(recipe.data, part).front()),
      data_(recipe.data) {}

bool LabelledReader::next(LabelledText& example) {
  if (!reader_.next(fields_)) return false;
  const std::optional<Dim> found = class_of(data_, fields_[label_column]);
  FOVEA_CHECK(found, file_, ":", reader_.number(), ": label '", fields_[label_column],
              "' is not one of those of training: ", known_classes(data_));
  example.label = *found;
  example.text.first = fields_[first_column];
  example.text.second = fields_.size() > second_column ? fields_[second_column] : "";
  example.line = reader_.number();
  return true;
}

std::vector<std::string> labels_in(const ClassifyRecipe& recipe,
                                   const std::filesystem::path& base) {
  PartReader reader = reader_of(recipe, Part::train, base);
  std::set<std::string> labels;
  for (std::vector<std::string> fields; reader.next(fields);) {
    labels.insert(fields[label_column]);
    FOVEA_CHECK(labels.size() <= 10'000, files_of(recipe.data, Part::train).front(),
                ": more than 10,000 different labels; is it the file of the texts?");
  }
  return {labels.begin(), labels.end()};
}

Tokenizer train_words(const ClassifyRecipe& recipe, const std::filesystem::path& base) {
  struct State {
    PartReader reader;
    std::vector<std::string> fields = {};
    std::size_t next = 0;
  };
  auto state = std::make_shared<State>(State{.reader = reader_of(recipe, Part::train, base)});
  const auto lines = [state, &recipe](std::string& line) {
    if (state->next == state->fields.size()) {
      if (!state->reader.next(state->fields)) return false;
      state->next = first_column;
    }
    const std::string& text = state->fields[state->next++];
    line = recipe.text.tags ? without_tags(text) : text;
    return true;
  };
  return learn_tokenizer(recipe.text.words, lines, recipe.data);
}

std::vector<LabelledText> read_labelled(const ClassifyRecipe& recipe, Part part,
                                        const std::filesystem::path& base) {
  std::vector<LabelledText> all;
  LabelledReader reader(recipe, part, base);
  for (LabelledText example; reader.next(example);) all.push_back(example);
  FOVEA_CHECK(!all.empty(), "data: the ", name_of(part), " set has no examples",
              why_empty(recipe.data, part));
  return all;
}

Corpus read_corpus(const ClassificationModel& model, Part part, const std::filesystem::path& base,
                   const std::filesystem::path& scratch, SkippedExamples* left_out) {
  const ClassifyRecipe& recipe = model.recipe;
  const bool apart = part == Part::train && recipe.data.apart;
  const auto elsewhere = apart ? held_out(recipe, base) : std::unordered_set<std::string>();
  CorpusBuilder corpus(scratch, 4, false);
  LabelledReader reader(recipe, part, base);
  for (LabelledText example; reader.next(example);) {
    const bool left = elsewhere.contains(key_of(example.text));
    if (left_out) left_out->count(left ? "also in dev or test (data.apart)" : "");
    if (left) continue;
    EncodedText first = model.encode(example.text.first);
    EncodedText second = model.pairs() ? model.encode(example.text.second, true) : EncodedText();
    const std::vector<Ids> fields = {{static_cast<std::int32_t>(example.label)},
                                     std::move(first.words),
                                     std::move(first.sentences),
                                     std::move(second.words)};
    corpus.add(fields, {}, example.line);
  }
  const Corpus made = corpus.finish();
  FOVEA_CHECK(made.size() > 0, "data: the ", name_of(part), " set has no examples",
              why_empty(recipe.data, part));
  return made;
}

}  // namespace fovea
