/// What the task "tag" reads and learns from its files before training.
#include <set>

#include "fovea/data/columns.h"
#include "fovea/data/find_data.h"
#include "fovea/tasks/tag/tag.h"

namespace fovea {
namespace {

constexpr std::size_t words_file = 0, tags_file = 1, intents_file = 2;

/// A text as people labelled it.
struct LabelledText {
  Words words, tags;
  std::string intent = {};
  std::int64_t line = 0;  // of its first word
};

/// The files of a part, of which there must be some.
const std::vector<std::string>& checked_files(const TagData& data, Part part) {
  const std::vector<std::string>& files = files_of(data, part);
  const bool lines = data.form == TagForm::lines;
  FOVEA_CHECK(!has_part(data, part) || files.size() == 2 || (lines && files.size() == 3),
              ErrorKind::bad_setting, "data.", name_of(part), ": expected ",
              lines ? "files of words and of tags, and if there are any of intents"
                    : "two columns of a file, of words and of tags: \"file#1\", \"file#4\"",
              ", found ", files.size());
  return files;
}

std::string joined_words(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// Text by text through one part of the data. Tags that the scheme does not have, and lines with
/// other numbers of tags than of words, are Errors that name file and line.
class TagReader {
 public:
  TagReader(const TagData& data, Part part)
      : scheme_(data.scheme), files_(checked_files(data, part)), in_part_(data, part) {
    if (data.form == TagForm::lines) {
      lines_.emplace(data, part, ".");
    } else {
      std::vector<TextFile> columns;
      for (const std::string& file : files_) columns.push_back(resolve(file, "."));
      sentences_.emplace(columns);
    }
  }

  bool next(LabelledText& text) {
    if (!(lines_ ? next_line(text) : next_sentence(text))) return false;
    check_tags(text);
    return true;
  }

 private:
  bool next_line(LabelledText& text) {
    std::vector<std::string> fields;
    if (!lines_->next(fields)) return false;
    text = {.words = words_in(fields[words_file]),
            .tags = words_in(fields[tags_file]),
            .intent = fields.size() > intents_file ? fields[intents_file] : "",
            .line = lines_->number()};
    FOVEA_CHECK(!text.words.empty(), ErrorKind::bad_file, place(text.line, words_file),
                ": no words");
    FOVEA_CHECK(text.words.size() == text.tags.size(), ErrorKind::bad_file,
                place(text.line, tags_file), ": expected ", text.words.size(),
                " tags for as many words, found ", text.tags.size());
    return true;
  }

  bool next_sentence(LabelledText& text) {
    ColumnSentence sentence;
    do {
      if (!sentences_->next(sentence)) return false;
    } while (!in_part_(joined_words(sentence.columns[words_file])));
    text = {.words = std::move(sentence.columns[words_file]),
            .tags = std::move(sentence.columns[tags_file]),
            .line = sentence.line};
    return true;
  }

  std::string place(std::int64_t line, std::size_t file) const {
    return concat(files_[file], ":", line);
  }

  void check_tags(const LabelledText& text) const {
    for (std::size_t i = 0; i < text.tags.size(); ++i) {
      if (is_tag(text.tags[i], scheme_)) continue;
      const std::int64_t line = text.line + (sentences_ ? static_cast<std::int64_t>(i) : 0);
      fail(ErrorKind::bad_file, place(line, tags_file), ": '", text.tags[i],
           "' is no tag of the scheme ", name_of(scheme_), " (data.scheme): expected O or ",
           scheme_ == TagScheme::bioes ? "B-, I-, E- or S-" : "B- or I-", " and a type");
    }
  }

  TagScheme scheme_;
  std::vector<std::string> files_;
  PartSelector in_part_;             // of sentences
  std::optional<PartReader> lines_;  // one of both
  std::optional<ColumnReader> sentences_;
};

/// Writes tags of the model's scheme and intents into the recipe, sorted.
void learn_labels(TagRecipe& recipe) {
  std::set<std::string> tags = {"O"}, intents;
  TagReader reader(recipe.data, Part::train);
  for (LabelledText text; reader.next(text);) {
    const auto words = std::ssize(text.words);
    for (std::string& tag : tags_of(entities_of(text.tags), words, recipe.text.scheme)) {
      tags.insert(std::move(tag));
    }
    if (!text.intent.empty()) intents.insert(text.intent);
    FOVEA_CHECK(tags.size() <= 5'000, ErrorKind::bad_file, recipe.data.train[tags_file],
                ": more than 5,000 different tags; is it the file of the words?");
  }
  recipe.data.tags.assign(tags.begin(), tags.end());
  recipe.data.intents.assign(intents.begin(), intents.end());
}

/// Learned from each word of the training part.
Tokenizer learn_from_words(const TokenizerConfig& config, const TagData& data) {
  TagReader reader(data, Part::train);
  LabelledText text;
  std::size_t next = 0;
  const auto words = [&](std::string& line) {
    while (next == text.words.size()) {
      if (!reader.next(text)) return false;
      next = 0;
    }
    line = text.words[next++];
    return true;
  };
  return learn_tokenizer(config, words, data);
}

/// Where the folder of a model has its ELMo.
constexpr const char* elmo_folder = "elmo";

}  // namespace

TaggingModel TaggingModel::make(TagRecipe recipe, const RunPlace& place) {
  learn_labels(recipe);
  auto [words, params] =
      begin_with(recipe.model.from, recipe.model, recipe.text.words, place, recipe.train.seed,
                 [&] { return learn_from_words(recipe.text.words, recipe.data); });
  TokenizerMap tokenizers = {{"words", words}};
  if (recipe.text.letters) {
    // A letter that stands only once teaches what an unknown one is.
    const TokenizerConfig spelling = {
        .kind = TokenizerKind::characters, .vocabulary = 0, .min_count = 2};
    tokenizers.emplace("letters", tokenizer_of_run(place, "letters", [&] {
                         return learn_from_words(spelling, recipe.data);
                       }));
  }
  std::unique_ptr<const FrozenElmo> elmo;
  if (!recipe.model.elmo.empty()) {
    const std::filesystem::path kept = place.resume ? place.folder / elmo_folder : "";
    recipe.model.elmo = earlier_run("model.elmo", recipe.model.elmo, place.base, kept).string();
    elmo = std::make_unique<FrozenElmo>(recipe.model.elmo);
  }
  return {std::move(recipe), std::move(tokenizers), std::move(params), std::move(elmo)};
}

void TaggingModel::locate(TagRecipe& recipe, const std::filesystem::path& base) {
  ExampleTask::locate(recipe, base);
  recipe.model.elmo = located_run(recipe.model.elmo, base);
}

std::vector<std::string> TaggingModel::save_rest(const std::filesystem::path& folder) const {
  std::vector<std::string> names = ExampleTask::save_rest(folder);
  if (elmo) {
    take_along(elmo->folder, folder / elmo_folder,
               {"config.json", "model.safetensors", "words.json", "letters.json"});
    names.emplace_back(elmo_folder);
  }
  return names;
}

std::unique_ptr<const FrozenElmo> TaggingModel::load_rest(const TagRecipe& recipe,
                                                          const std::filesystem::path& folder) {
  if (recipe.model.elmo.empty()) return nullptr;
  return std::make_unique<FrozenElmo>(folder / elmo_folder);
}

void TaggingModel::read(const TagData& data, Part part, ExampleSink<Query>& sink) const {
  TagReader reader(data, part);
  for (LabelledText text; reader.next(text);) {
    Query query = query_of(joined_words(text.words), text.words);
    query.example.tag_ids = ids_of_tags(text.tags);
    query.example.tags = std::move(text.tags);
    query.example.intent_id = id_of_intent(text.intent);
    query.example.intent = std::move(text.intent);
    sink.add(std::move(query), text.line);
  }
}

}  // namespace fovea
