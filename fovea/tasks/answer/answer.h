/// The task "answer": a question and texts go in, an answer from them comes out. Either one of
/// several sentences (model.kind = "choice"), or a span of a passage, or that the passage has no
/// answer ("span"). A line is a question and, each after a tab, the sentences or the passage.
#pragma once

#include "fovea/data/batches.h"
#include "fovea/metrics/ranking.h"
#include "fovea/metrics/span_match.h"
#include "fovea/models/answerer.h"
#include "fovea/tasks/example_task.h"
#include "fovea/tasks/report.h"
#include "fovea/tasks/runner.h"
#include "fovea/tasks/shown_examples.h"
#include "fovea/text/tokenizer.h"
#include "fovea/text/word_places.h"
#include "fovea/train/trainer.h"

namespace fovea {

/// choice: files of questions, sentences and labels (1: it answers, 0: it does not); the sentences
/// of a question follow one another. span: files of questions, passages and answers, which are
/// characters of the passage ("12-25 40-44", the last not included) or "none".
struct AnswerData : DataParts {
  Dim longest = 300;  // tokens of a text; the rest is not read

  template <class Visitor>
  void fields(Visitor& visit) {
    DataParts::fields(visit);
    visit("longest", longest);
  }
};

/// Of spans.
struct AnswerDecode {
  Dim longest = 30;      // words
  double no_answer = 0;  // added to the log probability that there is no answer

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("longest", longest);
    visit("no_answer", no_answer);
  }
};

struct AnswerSettings : AnswererConfig {
  std::string from = {};  // a model to begin with, as tasks/pretrained.h finds it

  template <class Visitor>
  void fields(Visitor& visit) {
    AnswererConfig::fields(visit);
    visit("from", from);
  }
};

struct AnswerRecipe : RecipeHeader {
  AnswerRecipe() { task = "answer"; }

  AnswerData data;
  TokenizerConfig words = {
      .kind = TokenizerKind::words, .vocabulary = 30'000, .lowercase = true, .marks_apart = true};
  BatchConfig batch;
  AnswerSettings model;
  AnswerDecode decode;
  TrainConfig train;

  template <class Visitor>
  void fields(Visitor& visit) {
    RecipeHeader::fields(visit);
    visit("data", data);
    visit("words", words);
    visit("batch", batch);
    visit("model", model);
    visit("decode", decode);
    visit("train", train);
  }
};

/// An Error that names the key, if what a recipe says cannot make a model.
void check(const AnswerRecipe& recipe);

struct AnswerExample {
  Ids question;
  std::vector<Ids> texts;  // choice: the sentences; span: the passage

  Ids right = {};  // choice: the numbers of the sentences that answer

  // span: the tokens of the passage, from 1, at which answers begin and end; 0: no answer
  Ids begins = {}, ends = {};
  std::string passage = {};
  std::vector<std::string> answers = {};  // all right ones; none: no answer

  template <class V>
  void columns(V& visit) {
    visit(question), visit(texts), visit(right);
    visit(begins), visit(ends), visit(passage), visit(answers);
  }
};

struct AnswerQuery {
  AnswerExample example;
  std::string question;
  std::vector<std::string> sentences = {};  // choice
  bool cut = false;                         // the question or a text is longer than what is read
};

struct AnswerForward {
  Var chosen = {};          // choice: P of each sentence among those of its question, (rows, 1)
  SpanPointers spans = {};  // span
};

/// Characters [begin, end) of a passage.
struct CharacterRange {
  Dim begin = 0, end = 0;
};

/// These characters of a text.
std::string cut_out(std::string_view text, const CharacterRange& range);

/// What people read if no span answers.
constexpr std::string_view no_answer = "(the passage does not say)";

/// The most probable span; "": no answer.
struct FoundSpan {
  std::string text = {};
  CharacterRange place = {};
  double probability = 0;         // P(begin) P(end)
  double none = 0;                // that there is no answer
  std::vector<float> words = {};  // (P(begin) + P(end)) / 2 of each word of the passage
};

struct AnswerOutput {
  std::vector<float> chosen = {};  // choice: P of each sentence
  FoundSpan span = {};             // span
};

/// A passage as ids, the word of each, and the places of words. Where the tokenizer gives places
/// itself, its tokens are the words.
struct EncodedPassage {
  Ids ids;
  std::vector<std::size_t> word;  // of each id
  std::vector<PlacedWord> words;  // of what is read; lent by the passage
  bool cut = false;               // the passage is longer
};

struct QuestionAnswering : ExampleTask<AnswerRecipe> {
  static constexpr std::string_view name = "answer";
  using Example = AnswerExample;
  using Query = AnswerQuery;
  using Forward = AnswerForward;
  using Output = AnswerOutput;

  struct Score {
    explicit Score(const QuestionAnswering& task) : spans(task.spans()) {}
    void add(const Example& example, const Output& output);
    /// choice: MAP, MRR and the share of first sentences that are right, over the questions that
    /// have an answer. span: exact match and F1 as SQuAD 2.0 counts them, over all questions, those
    /// with an answer and those without.
    std::vector<Report> reports(const Losses&) const;

    bool spans;
    RankingScores ranking;
    Dim first_right = 0;
    SpanScores matches;
  };

  Tokenizer words;
  Answerer net;

  QuestionAnswering(AnswerRecipe recipe, TokenizerMap tokenizers, std::unique_ptr<Params> params);
  static QuestionAnswering make(AnswerRecipe recipe, const RunPlace& place);
  static void complete(AnswerRecipe& recipe);
  static std::vector<NeededTokenizer> needed_tokenizers(const AnswerRecipe& recipe) {
    return {{"words", recipe.model.encoder.vocabulary}};
  }

  /// Questions that no sentence answers are not learned from.
  void read(const AnswerData& data, Part part, ExampleSink<Query>& sink) const;
  Dim rows(const Example& example) const;
  Forward forward(Batch<Example> batch, const Pass& pass) const;
  std::vector<Objective<QuestionAnswering>> objectives() const;
  std::vector<Output> outputs(Batch<Example> batch, const Forward& forward) const;

  Query parse(const Input& input) const;
  Answer answer(const Query& query, const Output& output) const;
  /// The texts shaded by the probability of their words or sentences, and the attention of the
  /// encoder to the question and the text (of sentences: the chosen one).
  RunRecord record(const Query& query, const RecordOptions& options) const;
  void show(std::span<const Query> queries, const Examples<Example>&, ShownExamples& shown) const;

  bool spans() const { return recipe.model.kind == AnswerKind::span; }

 private:
  void read_choices(const AnswerData& data, Part part, ExampleSink<Query>& sink) const;
  void read_spans(const AnswerData& data, Part part, ExampleSink<Query>& sink) const;
  Query choice_query(std::string question, std::vector<std::string> sentences) const;
  Query span_query(std::string question, std::string passage,
                   const std::vector<CharacterRange>& answers) const;
  /// Learns how rare words are from all sentences of the training part.
  void count_words();

  /// At most data.longest ids, and no more than the encoder has positions for: half of them for a
  /// question, the rest beside its `asked` ids for a text. `cut` becomes true if there are more.
  Ids encode_question(std::string_view question, bool* cut) const;
  Ids encode_text(std::string_view text, std::size_t asked, bool* cut = nullptr) const;
  EncodedPassage encode_passage(std::string_view passage, std::size_t asked) const;
  Dim max_positions() const;  // beside the marks
  std::size_t max_tokens(std::size_t asked) const;

  FoundSpan find_span(const Example& example, std::span<const float> begin,
                      std::span<const float> end) const;
  RunRecord record_choice(const Query& query, const RecordOptions& options) const;
  RunRecord record_span(const Query& query, const RecordOptions& options) const;
};

}  // namespace fovea
