#include "fovea/tasks/tag/tag_data.h"

#include <set>

#include "fovea/data/find_data.h"

namespace fovea {
namespace {

constexpr std::size_t words_file = 0, tags_file = 1, intents_file = 2;
constexpr Dim tags_field = 6, intent_field = 7, field_count = 8;

/// Which files of a part there must be.
const std::vector<std::string>& checked_files(const TagData& data, Part part) {
  const std::vector<std::string>& files = files_of(data, part);
  const bool lines = data.form == TagForm::lines;
  FOVEA_CHECK(!has_part(data, part) || files.size() == 2 || (lines && files.size() == 3), "data.",
              name_of(part), ": expected ",
              lines ? "files of words and of tags, and if there are any of intents"
                    : "two columns of a file, of words and of tags: \"file#1\", \"file#4\"",
              ", found ", files.size());
  return files;
}

ColumnReader columns_of(const std::vector<std::string>& files, const std::filesystem::path& base) {
  std::vector<TextFile> columns;
  for (const std::string& file : files) columns.push_back(resolve(file, base));
  return ColumnReader(columns);
}

std::string joined_words(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace

TagReader::TagReader(const TagRecipe& recipe, Part part, const std::filesystem::path& base)
    : scheme_(recipe.data.scheme),
      files_(checked_files(recipe.data, part)),
      split_({.dev = recipe.data.dev.empty() ? recipe.data.split.dev : 0,
              .test = recipe.data.test.empty() ? recipe.data.split.test : 0}),
      part_(part),
      split_here_(&files_of(recipe.data, part) == &recipe.data.train) {
  FOVEA_CHECK(has_part(recipe.data, part), "data: the recipe has no ", name_of(part),
              " set: name its files, or give data.split a share");
  if (recipe.data.form == TagForm::lines) {
    lines_.emplace(recipe.data, part, base);
  } else {
    sentences_.emplace(columns_of(files_, base));
  }
}

bool TagReader::next(GivenText& text) {
  if (!(lines_ ? next_line(text) : next_sentence(text))) return false;
  check(text);
  return true;
}

bool TagReader::next_line(GivenText& text) {
  if (!lines_->next(fields_)) return false;
  text = {.words = words_in(fields_[words_file]),
          .tags = words_in(fields_[tags_file]),
          .intent = fields_.size() > intents_file ? fields_[intents_file] : "",
          .line = lines_->number()};
  FOVEA_CHECK(!text.words.empty(), place(text.line, words_file), ": no words");
  FOVEA_CHECK(text.words.size() == text.tags.size(), place(text.line, tags_file), ": expected ",
              text.words.size(), " tags for as many words, found ", text.tags.size());
  return true;
}

bool TagReader::next_sentence(GivenText& text) {
  do {
    if (!sentences_->next(sentence_)) return false;
  } while (split_here_ && part_of(joined_words(sentence_.columns[words_file]), split_) != part_);
  text = {.words = sentence_.columns[words_file],
          .tags = sentence_.columns[tags_file],
          .line = sentence_.line};
  return true;
}

std::string TagReader::place(std::int64_t line, std::size_t file) const {
  return concat(files_[file], ":", line);
}

void TagReader::check(const GivenText& text) const {
  for (std::size_t i = 0; i < text.tags.size(); ++i) {
    if (is_tag(text.tags[i], scheme_)) continue;
    const std::int64_t line = text.line + (sentences_ ? static_cast<std::int64_t>(i) : 0);
    fail(place(line, tags_file), ": '", text.tags[i], "' is no tag of the scheme ",
         name_of(scheme_), " (data.scheme): expected O or ",
         scheme_ == TagScheme::bioes ? "B-, I-, E- or S-" : "B- or I-", " and a type");
  }
}

std::vector<GivenText> read_texts(const TagRecipe& recipe, Part part,
                                  const std::filesystem::path& base) {
  std::vector<GivenText> all;
  TagReader reader(recipe, part, base);
  for (GivenText text; reader.next(text);) all.push_back(text);
  FOVEA_CHECK(!all.empty(), "data: the ", name_of(part), " set has no texts",
              why_empty(recipe.data, part));
  return all;
}

void learn_labels(TagRecipe& recipe, std::span<const GivenText> train) {
  std::set<std::string> tags = {"O"}, intents;
  for (const GivenText& text : train) {
    const auto words = static_cast<Dim>(text.words.size());
    tags.merge([&] {
      const Words all = tags_of(entities_of(text.tags), words, recipe.text.scheme);
      return std::set<std::string>(all.begin(), all.end());
    }());
    if (!text.intent.empty()) intents.insert(text.intent);
    FOVEA_CHECK(tags.size() <= 5'000, recipe.data.train[tags_file],
                ": more than 5,000 different tags; is it the file of the words?");
  }
  recipe.data.tags.assign(tags.begin(), tags.end());
  recipe.data.intents.assign(intents.begin(), intents.end());
}

Corpus corpus_of(const TaggingModel& model, std::span<const GivenText> texts,
                 const std::filesystem::path& scratch) {
  CorpusBuilder corpus(scratch, field_count, false);
  for (const GivenText& text : texts) {
    EncodedWords words = model.encode(text.words);
    Ids tags = model.tag_ids(text.tags);
    tags.resize(words.piece_counts.size());
    const std::vector<Ids> fields = {std::move(words.pieces),
                                     std::move(words.piece_counts),
                                     std::move(words.letters),
                                     std::move(words.letter_counts),
                                     std::move(words.elmo_letters),
                                     std::move(words.elmo_letter_counts),
                                     std::move(tags),
                                     {model.intent_id(text.intent)}};
    corpus.add(fields, {}, text.line);
  }
  return corpus.finish();
}

WordIds words_of(const Corpus& corpus, Dim example) {
  WordIds words;
  words.pieces = corpus.ids(example, 0);
  words.piece_counts = corpus.ids(example, 1);
  words.letters = corpus.ids(example, 2);
  words.letter_counts = corpus.ids(example, 3);
  words.elmo_letters = corpus.ids(example, 4);
  words.elmo_letter_counts = corpus.ids(example, 5);
  return words;
}

std::span<const std::int32_t> tags_of(const Corpus& corpus, Dim example) {
  return corpus.ids(example, tags_field);
}

std::int32_t intent_of(const Corpus& corpus, Dim example) {
  return corpus.ids(example, intent_field)[0];
}

}  // namespace fovea
