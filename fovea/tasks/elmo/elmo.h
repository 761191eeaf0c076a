/// The task "elmo": two language models learn from text alone, one from each end, and other tasks
/// take what their layers know of each word (Peters et al. 2018). A line is a text; the answer is
/// the perplexity of either model.
#pragma once

#include "fovea/data/batches.h"
#include "fovea/models/elmo.h"
#include "fovea/tasks/example_task.h"
#include "fovea/tasks/report.h"
#include "fovea/tasks/runner.h"
#include "fovea/tasks/shown_examples.h"
#include "fovea/text/tokenizer.h"
#include "fovea/train/trainer.h"

namespace fovea {

/// One file of text each, a sentence a line, or a document.
struct ElmoData : DataParts {
  bool documents = false;  // lines are cut into sentences, each read by itself
  Dim longest = 100;       // words of a sentence; what follows is not read

  template <class Visitor>
  void fields(Visitor& visit) {
    DataParts::fields(visit);
    visit("documents", documents);
    visit("longest", longest);
  }
};

struct ElmoRecipe : RecipeHeader {
  ElmoRecipe() { task = "elmo"; }

  ElmoData data;
  /// Those that are predicted; every word is read, by its letters.
  TokenizerConfig words = {.kind = TokenizerKind::words, .vocabulary = 10'000};
  BatchConfig batch;
  ElmoConfig model;
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
void check(const ElmoRecipe& recipe);

/// The tokens of a text, with the marks at both ends: ids that are predicted, letters that are
/// read.
struct ElmoExample {
  Ids ids;
  std::vector<Ids> letters;  // of each token

  template <class V>
  void columns(V& visit) {
    visit(ids), visit(letters);
  }
};

struct ElmoQuery {
  ElmoExample example;
  std::string text;
  std::vector<std::string> words;  // of the text, as far as it is read
  bool cut = false;                // the text has more
};

struct ElmoForward {
  Sequences tokens;  // segments are texts
  Elmo::Layers layers;
};

struct ElmoModel : ExampleTask<ElmoRecipe> {
  static constexpr std::string_view name = "elmo";
  using Example = ElmoExample;
  using Query = ElmoQuery;
  using Forward = ElmoForward;
  /// -log P of each token of a text: forwards of all but the first, backwards of all but the last.
  struct Output {
    std::vector<double> forward, backward;
  };

  struct Score {
    explicit Score(const ElmoModel&) {}
    void add(const Example&, const Output& text);
    std::vector<Report> reports(const Losses& losses) const;

    double forward = 0, backward = 0;  // sums
    std::size_t tokens = 0;
  };

  Tokenizer words, letters;  // what is predicted, what is read
  Elmo net;

  ElmoModel(ElmoRecipe recipe, TokenizerMap tokenizers, std::unique_ptr<Params> params);
  static ElmoModel make(ElmoRecipe recipe, const RunPlace& place);
  static std::vector<NeededTokenizer> needed_tokenizers(const ElmoRecipe& recipe) {
    return {{"words", recipe.model.vocabulary}, {"letters", recipe.model.letters}};
  }
  Dim model_width() const { return recipe.model.projection; }

  void read(const ElmoData& data, Part part, ExampleSink<Query>& sink) const;
  Dim rows(const Example& example) const { return std::ssize(example.ids); }
  Forward forward(Batch<Example> batch, const Pass& pass) const;
  std::vector<Objective<ElmoModel>> objectives() const;
  std::vector<Output> outputs(Batch<Example> batch, const Forward& forward) const;

  Query parse(const Input& input) const;
  Answer answer(const Query& query, const Output& text) const;
  /// The words shaded by their -log P, from each end. There is no attention to see.
  RunRecord record(const Query& query, const RecordOptions&) const;
  /// Beginnings of texts with the likeliest next word.
  void show(std::span<const Query> queries, const Examples<Example>&, ShownExamples& shown) const;

  /// All of these words.
  ElmoExample encode(std::span<const std::string> words) const;
  /// What every layer knows of each word, without the marks: (words in all, 2P) each. No gradient
  /// goes into it.
  std::vector<Tensor> features(Batch<Example> texts) const;

 private:
  Query query_of(std::string text) const;
};

}  // namespace fovea
