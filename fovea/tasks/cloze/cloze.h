/// The task "cloze": a document and a question with a blank go in, the word of the document that
/// fills it comes out. A line is a document and a question with "@placeholder" in it, with a tab
/// between them.
#pragma once

#include "fovea/data/batches.h"
#include "fovea/models/cloze_reader.h"
#include "fovea/tasks/example_task.h"
#include "fovea/tasks/report.h"
#include "fovea/tasks/runner.h"
#include "fovea/tasks/shown_examples.h"
#include "fovea/text/tokenizer.h"
#include "fovea/train/trainer.h"

namespace fovea {

/// Files of documents, questions and answers, in this order; words stand between blanks.
struct ClozeData : DataParts {
  Dim longest = 400;  // words of a document; what follows is not read

  template <class Visitor>
  void fields(Visitor& visit) {
    DataParts::fields(visit);
    visit("longest", longest);
  }
};

struct ClozeRecipe : RecipeHeader {
  ClozeRecipe() { task = "cloze"; }

  ClozeData data;
  /// Words that are rarer are all read as the same one, but are pointed at all the same.
  TokenizerConfig words = {.kind = TokenizerKind::words, .vocabulary = 30'000, .lowercase = true};
  BatchConfig batch;
  ClozeReaderConfig model;
  TrainConfig train;

  template <class Visitor>
  void fields(Visitor& visit) {
    RecipeHeader::fields(visit);
    visit("data", data);
    visit("words", words);
    visit("batch", batch);
    visit("model", model);
    visit("train", train);
  }
};

/// An Error that names the key, if what a recipe says cannot make a model.
void check(const ClozeRecipe& recipe);

/// same[i] is the first place of the word that stands at place i of the document, be it known or
/// not.
struct ClozeExample {
  Ids document, question, same;
  std::int32_t answer = -1;  // its first place; -1: what is read of the document lacks it

  template <class V>
  void columns(V& visit) {
    visit(document), visit(question), visit(same), visit(answer);
  }
};

struct ClozeQuery {
  ClozeExample example;
  std::vector<std::string> words;  // of the document, as far as it is read
  std::string question;
  bool cut = false;         // the document has more
  std::string answer = {};  // of an example
};

/// A word of a document, by its first place.
struct RankedWord {
  Dim place = 0;
  float probability = 0;
};

/// The words of a document with the sums of their rows' probabilities, the likeliest first, of
/// equals the earlier.
std::vector<RankedWord> ranked(std::span<const float> pointed, std::span<const std::int32_t> same);

struct Cloze : ExampleTask<ClozeRecipe> {
  static constexpr std::string_view name = "cloze";
  using Example = ClozeExample;
  using Query = ClozeQuery;
  using Forward = Var;  // s of each row of the documents: (D, 1)
  using Output = std::vector<RankedWord>;

  struct Score {
    explicit Score(const Cloze&) {}
    void add(const Example& example, const Output& words);
    std::vector<Report> reports(const Losses&) const;

    double loss = 0;                       // -log P(answer), where the document has it
    Dim all = 0, answered = 0, right = 0;  // examples
  };

  Tokenizer words;
  ClozeReader net;

  Cloze(ClozeRecipe recipe, TokenizerMap tokenizers, std::unique_ptr<Params> params);
  static Cloze make(ClozeRecipe recipe, const RunPlace& place);
  static std::vector<NeededTokenizer> needed_tokenizers(const ClozeRecipe& recipe) {
    return {{"words", recipe.model.vocabulary}};
  }

  void read(const ClozeData& data, Part part, ExampleSink<Query>& sink) const;
  Dim rows(const Example& example) const {
    return std::ssize(example.document) + std::ssize(example.question);
  }
  Forward forward(Batch<Example> batch, const Pass& pass) const;
  std::vector<Objective<Cloze>> objectives() const;
  std::vector<Output> outputs(Batch<Example> batch, const Forward& pointed) const;

  Query parse(const Input& input) const;
  Answer answer(const Query& query, const Output& words) const;
  /// The document shaded by the probability of its words, and which words of it each word of the
  /// question attended to.
  RunRecord record(const Query& query, const RecordOptions& options) const;
  void show(std::span<const Query> queries, const Examples<Example>&, ShownExamples& shown) const;

 private:
  Query query_of(const std::string& document, const std::string& question) const;
};

}  // namespace fovea
