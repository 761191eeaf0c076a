/// The task "tag": the words of a text go in, a tag for each comes out, and if the data has them
/// also the intent of the whole text. Names in news, slots and intents of orders. A line is words
/// between white space; the answer is each with its tag ("Peter/B-PER"), after the intent and a tab
/// if the model knows intents.
///
/// Beside what every model has in its folder (trained_model.h) there is:
///
///   letters.json    the tokenizer of letters, if they are read
///   elmo/           the ELMo whose features are read beside the words, if any is
#pragma once

#include <map>
#include <optional>

#include "fovea/data/batches.h"
#include "fovea/metrics/entities.h"
#include "fovea/models/tagger.h"
#include "fovea/tasks/elmo/elmo.h"

namespace fovea {

enum class TagForm {
  lines,    // files of words, of their tags and, if there are any, of intents: a text a line
  columns,  // two columns of one file, a word a line: data/columns.h
};
constexpr std::array<std::string_view, 2> names_of(TagForm) { return {"lines", "columns"}; }

/// Files (or columns) of words and of tags, in this order, and if there are any of intents.
struct TagData : DataParts {
  TagForm form = TagForm::lines;
  TagScheme scheme = TagScheme::iob2;  // of the files, and of answers
  std::vector<std::string> tags = {};  // of the model; learned from the training part
  std::vector<std::string> intents = {};

  template <class Visitor>
  void fields(Visitor& visit) {
    DataParts::fields(visit);
    visit("form", form);
    visit("scheme", scheme);
    visit("tags", tags);
    visit("intents", intents);
  }
};

struct TagText {
  TokenizerConfig words = {.kind = TokenizerKind::words, .vocabulary = 0, .lowercase = true};
  bool letters = true;                  // words are also read letter by letter, in their case
  TagScheme scheme = TagScheme::bioes;  // that the model learns
  /// While training, a word that was seen n times is read as unknown with probability d / (n + d):
  /// Kiperwasser and Goldberg 2016, 4.1.
  double word_dropout = 0.25;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("words", words);
    visit("letters", letters);
    visit("scheme", scheme);
    visit("word_dropout", word_dropout);
  }
};

struct TagModel : TaggerConfig {
  std::string from = {};  // a model to begin with, as tasks/pretrained.h finds it
  std::string elmo = {};  // a model of the task "elmo": what it knows stands beside each word

  template <class Visitor>
  void fields(Visitor& visit) {
    TaggerConfig::fields(visit);
    visit("from", from);
    visit("elmo", elmo);
  }
};

struct TagObjective {
  double intent = 0.1;  // the weight of a text's intent against that of a word's tag

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("intent", intent);
  }
};

struct TagRecipe : RecipeHeader {
  TagRecipe() { task = "tag"; }

  TagData data;
  TagText text;
  BatchConfig batch;
  TagModel model;
  TagObjective objective;
  TrainConfig train;

  template <class Visitor>
  void fields(Visitor& visit) {
    RecipeHeader::fields(visit);
    visit("data", data);
    visit("text", text);
    visit("batch", batch);
    visit("model", model);
    visit("objective", objective);
    visit("train", train);
  }
};

/// An Error that names the key, if what a recipe says cannot make a model.
void check(const TagRecipe& recipe);

using Words = std::vector<std::string>;

/// What is between white space.
Words words_in(std::string_view line);

/// A text as ids, and its labels if they are known. Marks stand around the pieces if the tokenizer
/// is that of a model from elsewhere.
struct TagExample {
  std::int32_t words = 0;       // of the text
  Ids pieces, piece_counts;     // of the words that are read: the first ones
  std::vector<Ids> letters;     // of each of them, if the model reads letters
  ElmoExample elmo;             // the same words, if the model reads an ELMo
  Words tags;                   // of all words, in the scheme of the data
  Ids tag_ids;                  // the same in the model's scheme; -1: training never saw it
  std::string intent;           // "": not known
  std::int32_t intent_id = -1;  // -1: not known, or training never saw it

  template <class V>
  void columns(V& visit) {
    visit(words), visit(pieces), visit(piece_counts), visit(letters), visit(elmo);
    visit(tags), visit(tag_ids), visit(intent), visit(intent_id);
  }
};

struct TagQuery {
  TagExample example;
  std::string text;
  Words words;
};

struct TagForward {
  Segments words;  // of each text: those that are read
  Tagger::Scores scores;
};

/// What the model says to a text.
struct TaggedText {
  Words tags;               // one a word, in the scheme of the data; "O" where it is not read
  std::string intent = {};  // "" if it knows none, or there are no words
  float intent_probability = 0;
};

/// An ELMo and the folder that it came from.
struct FrozenElmo {
  std::filesystem::path folder;
  ElmoModel model;

  explicit FrozenElmo(const std::filesystem::path& folder)
      : folder(folder), model(load_model<ElmoModel>(folder, {}, Use::run)) {}
};

struct TaggingModel : ExampleTask<TagRecipe> {
  static constexpr std::string_view name = "tag";
  using Example = TagExample;
  using Query = TagQuery;
  using Forward = TagForward;
  using Output = TaggedText;

  struct Score {
    explicit Score(const TaggingModel& model) : has_intents(model.has_intents()) {}
    void add(const Example& given, const Output& found);
    std::vector<Report> reports(const Losses& losses) const;

    bool has_intents;
    EntityScore entities;
    Dim words = 0, right_tags = 0;
    /// Texts; right_frames: with the right intent and the right entities.
    Dim with_intent = 0, right_intents = 0, right_frames = 0;
    std::map<std::string, Dim> unseen_tags, unseen_intents;  // how often each occurs
  };

  Tokenizer words;
  std::optional<Tokenizer> letters;
  std::unique_ptr<const FrozenElmo> elmo;  // null: none is read
  Tagger net;
  TagRules rules;

  /// The recipe's tags and intents are known by now.
  TaggingModel(TagRecipe recipe, TokenizerMap tokenizers, std::unique_ptr<Params> params,
               std::unique_ptr<const FrozenElmo> elmo = nullptr);
  static TaggingModel make(TagRecipe recipe, const RunPlace& place);
  static std::vector<NeededTokenizer> needed_tokenizers(const TagRecipe& recipe);
  static void locate(TagRecipe& recipe, const std::filesystem::path& base);
  std::vector<std::string> save_rest(const std::filesystem::path& folder) const;
  static std::unique_ptr<const FrozenElmo> load_rest(const TagRecipe& recipe,
                                                     const std::filesystem::path& folder);

  void read(const TagData& data, Part part, ExampleSink<Query>& sink) const;
  void take(Part part, const Examples<Example>& examples);
  /// Word dropout.
  Example view(const Examples<Example>& examples, const Visit& visit) const;
  Dim rows(const Example& example) const { return std::ssize(example.pieces); }
  Forward forward(Batch<Example> batch, const Pass& pass) const;
  std::vector<Objective<TaggingModel>> objectives() const;
  std::vector<Output> outputs(Batch<Example> batch, const Forward& forward) const;

  Query parse(const Input& input) const;
  /// As JSON also the entities: type, text, and the characters of the line [begin, end) that they
  /// are. A line without words has no entities and no intent.
  Answer answer(const Query& query, const Output& found) const;
  /// A Transformer: the words that each word attended to. With intents: the words that the intent
  /// was read from. A recurrent model without intents has no attention, which is an Error.
  RunRecord record(const Query& query, const RecordOptions& options) const;
  void show(std::span<const Query> queries, const Examples<Example>&, ShownExamples& shown) const;

  bool has_intents() const { return !recipe.data.intents.empty(); }
  /// Without labels. As many words from the first on as the model's positions reach.
  Example encode(const Words& words) const;
  TagBatch batch_of(Batch<Example> examples) const;

 private:
  /// Of the model's tokenizer of words.
  TextLayout layout() const;
  Query query_of(std::string text, Words words) const;
  /// -1: training never saw it.
  Ids ids_of_tags(const Words& tags) const;
  std::int32_t id_of_intent(const std::string& intent) const;

  std::vector<float> dropped_;  // the probability that a piece is read as unknown in training
};

}  // namespace fovea
