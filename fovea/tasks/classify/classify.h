/// The task "classify": a text or a pair of texts goes in, one of several labels comes out: the
/// sentiment of a review, the type of a question, whether one sentence follows from another. A line
/// is a text, or two with a tab between them.
#pragma once

#include "fovea/data/batches.h"
#include "fovea/metrics/classification.h"
#include "fovea/models/text_classifier.h"
#include "fovea/tasks/example_task.h"
#include "fovea/tasks/report.h"
#include "fovea/tasks/runner.h"
#include "fovea/tasks/shown_examples.h"
#include "fovea/text/tokenizer.h"
#include "fovea/train/trainer.h"

namespace fovea {

/// Files of labels and of one or two texts, in this order.
struct ClassifyData : DataParts {
  bool apart = false;  // skips training examples that are also in the files of dev or test
  Dim longest = 400;   // words of a text; the rest is not read
  std::vector<std::string> labels = {};  // as in the files; none: those of `train`, sorted
  std::vector<std::string> names = {};   // as in the answers; none: the labels

  template <class Visitor>
  void fields(Visitor& visit) {
    DataParts::fields(visit);
    visit("apart", apart);
    visit("longest", longest);
    visit("labels", labels);
    visit("names", names);
  }
};

struct ClassifyText {
  TokenizerConfig words = {.kind = TokenizerKind::words, .vocabulary = 0, .lowercase = true};
  bool tags = false;        // texts have tags of HTML, which are not read
  Dim sentence = 60;        // hierarchical: words of a sentence; a longer one is split
  double word_dropout = 0;  // the share of words that are read as unknown in training

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("words", words);
    visit("tags", tags);
    visit("sentence", sentence);
    visit("word_dropout", word_dropout);
  }
};

struct ClassifyModel : TextClassifierConfig {
  std::string from = {};  // encoder: a model to begin with, as tasks/pretrained.h finds it

  template <class Visitor>
  void fields(Visitor& visit) {
    TextClassifierConfig::fields(visit);
    visit("from", from);
  }
};

struct ClassifyObjective {
  double smoothing = 0;  // label smoothing: Szegedy et al. 2016, 7

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("smoothing", smoothing);
  }
};

struct ClassifyRecipe : RecipeHeader {
  ClassifyRecipe() { task = "classify"; }

  ClassifyData data;
  ClassifyText text;
  BatchConfig batch;
  ClassifyModel model;
  ClassifyObjective objective;
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
void check(const ClassifyRecipe& recipe);

/// The ids of one or two texts. Those of an encoder have marks around them: begin, first text, end,
/// second text, end (Devlin et al. 2019, 3).
struct ClassifyExample {
  std::int32_t label = -1;  // -1: not known
  Ids words, sentences;     // of the first text: all ids, and the length of each sentence
  Ids second;               // of the second text

  template <class V>
  void columns(V& visit) {
    visit(label), visit(words), visit(sentences), visit(second);
  }
};

struct ClassifyQuery {
  ClassifyExample example;
  std::string first, second;  // the texts
  bool cut = false;           // one of them is longer than what is read
};

struct ClassifyForward {
  Var logits;            // (B, C)
  double smoothing = 0;  // of the labels: in training only
};

/// A text as ids, and the length of each sentence.
struct EncodedText {
  Ids words, sentences;
  bool cut = false;  // the text is longer
};

struct Classify : ExampleTask<ClassifyRecipe> {
  static constexpr std::string_view name = "classify";
  using Example = ClassifyExample;
  using Query = ClassifyQuery;
  using Forward = ClassifyForward;
  using Output = std::vector<float>;  // the probability of each class

  struct Score {
    explicit Score(const Classify& with) : task(with), confusion(with.recipe.model.classes) {}
    void add(const Example& example, const Output& probabilities);
    /// Accuracy, the mean of the classes' F1, and precision, recall and F1 of each class.
    std::vector<Report> reports(const Losses& losses) const;

    const Classify& task;
    Confusion confusion;
  };

  Tokenizer words;
  std::unique_ptr<TextClassifier> net;

  /// The recipe has its labels.
  Classify(ClassifyRecipe recipe, TokenizerMap tokenizers, std::unique_ptr<Params> params);
  static Classify make(ClassifyRecipe recipe, const RunPlace& place);
  static std::vector<NeededTokenizer> needed_tokenizers(const ClassifyRecipe& recipe) {
    return {{"words", recipe.model.vocabulary}};
  }

  void read(const ClassifyData& data, Part part, ExampleSink<Query>& sink) const;
  Dim rows(const Example& example) const {
    return std::ssize(example.words) + std::ssize(example.second);
  }
  /// In training with word dropout: some words are unknown, other ones in each epoch.
  Example view(const Examples<Example>& examples, const Visit& visit) const;
  Forward forward(Batch<Example> batch, const Pass& pass) const;
  std::vector<Objective<Classify>> objectives() const;
  std::vector<Output> outputs(Batch<Example> batch, const Forward& forward) const;

  Query parse(const Input& input) const;
  Answer answer(const Query& query, const Output& probabilities) const;
  /// Words shaded for each class (class-query), for the text (static-sum) or by words and sentences
  /// (hierarchical), with all weights, as they are few; the words of the first text that the second
  /// attends to (attentive, word-by-word); every layer of an encoder. An Error if the model has no
  /// attention.
  RunRecord record(const Query& query, const RecordOptions& options) const;
  void show(std::span<const Query> queries, const Examples<Example>&, ShownExamples& shown) const;

  Dim model_width() const {
    const bool encodes = recipe.model.family == ClassifierFamily::encoder;
    return encodes ? recipe.model.encoder.width : recipe.model.width;
  }
  bool pairs() const { return reads_pairs(recipe.model); }
  /// What answers call a class.
  const std::string& class_name(Dim label) const;
  Query query_of(std::string first, std::string second) const;
  /// `second`: the second text of a pair.
  EncodedText encode(std::string_view text, bool second = false) const;
  /// The words of each sentence that `encode` reads, also unknown ones.
  std::vector<std::vector<std::string>> pieces(std::string_view text, bool second = false) const;
  /// The words of a text that are read at most: an encoder has positions for no more.
  Dim max_words() const;

 private:
  /// A record with the answer alone, if the model has no attention.
  RunRecord observe(const Query& query, const RecordOptions& options) const;
};

}  // namespace fovea
