/// The task "mask": an encoder learns from text alone by filling in words that were hidden from it
/// (BERT: Devlin et al. 2019; RoBERTa: Liu et al. 2019). Other tasks begin with what it learned
/// (`model.from`). A line with one or more "[MASK]" goes in, the words that may stand there come
/// out.
#pragma once

#include "fovea/data/batches.h"
#include "fovea/models/masked_model.h"
#include "fovea/tasks/example_task.h"
#include "fovea/tasks/mask/masking.h"
#include "fovea/tasks/report.h"
#include "fovea/tasks/runner.h"
#include "fovea/tasks/shown_examples.h"
#include "fovea/text/tokenizer.h"
#include "fovea/train/trainer.h"

namespace fovea {

/// Files of text, a document or a sentence a line, one file after the other.
struct MaskData : DataParts {
  Dim longest = 128;  // tokens of a context, marks included; a longer line is cut into several
  bool pack = false;  // lines that follow one another share a context as far as it reaches
  bool tags = false;  // texts have tags of HTML, which are not read

  template <class Visitor>
  void fields(Visitor& visit) {
    DataParts::fields(visit);
    visit("longest", longest);
    visit("pack", pack);
    visit("tags", tags);
  }
};

struct MaskRecipe : RecipeHeader {
  MaskRecipe() { task = "mask"; }

  MaskData data;
  TokenizerConfig words = {.kind = TokenizerKind::bpe, .vocabulary = 8000};
  BatchConfig batch;
  MaskedModelConfig model;
  MaskingConfig objective;
  TrainConfig train;

  template <class Visitor>
  void fields(Visitor& visit) {
    RecipeHeader::fields(visit);
    visit("data", data);
    visit("words", words);
    visit("batch", batch);
    visit("model", model);
    visit("objective", objective);
    visit("train", train);
  }
};

/// An Error that names the key, if what a recipe says cannot make a model.
void check(const MaskRecipe& recipe);

/// A context: stored without marks; view() puts the marks around it and hides some of its tokens.
struct MaskExample {
  Ids tokens = {};
  /// With next sentences: what followed `tokens`, or nothing where a document had but one sentence.
  Ids second = {};
  std::int32_t pairs = 0;  // how many examples up to this one have a second part

  // Of a view, in which `tokens` are those of both parts
  Ids kinds = {};    // of each token: which part it belongs to
  Ids places = {};   // of hidden tokens, rising
  Ids targets = {};  // what stood there; of a question: none
  /// 1: the second part followed; 0: it stood elsewhere; -1: there is none.
  std::int32_t follows = -1;

  template <class V>
  void columns(V& visit) {
    visit(tokens), visit(second), visit(pairs);
  }
};

struct MaskQuery {
  MaskExample example;
  std::string text;  // with "[MASK]", however the tokenizer writes it; of a data set: none
  bool cut = false;
};

struct MaskForward {
  Var hidden;  // the rows of hidden tokens, (M, W)
  Var logits;  // of them, (M, V); undefined in training, where the loss is fused
  Var next;    // (B, 2); undefined if no example has a second part
};

/// A token that may stand at a mask.
struct FilledToken {
  std::int32_t id = 0;
  float probability = 0;
};

struct MaskOutput {
  Ids likeliest;  // token at each hidden place
  /// Of a question, for each place: the likeliest tokens that text may have, the likeliest first.
  std::vector<std::vector<FilledToken>> candidates;
  std::int32_t follows = -1;  // whether the second part followed, if there is one
};

struct Mask : ExampleTask<MaskRecipe> {
  static constexpr std::string_view name = "mask";
  using Example = MaskExample;
  using Query = MaskQuery;
  using Forward = MaskForward;
  using Output = MaskOutput;

  /// How many hidden tokens are found, and how often it is known whether a second part followed.
  struct Score {
    explicit Score(const Mask& of) : task(of) {}
    void add(const Example& example, const Output& output);
    std::vector<Report> reports(const Losses& losses) const;

    const Mask& task;
    Dim hidden = 0, found = 0;
    Dim pairs = 0, pairs_right = 0;
  };

  Tokenizer words;
  MaskedModel net;

  Mask(MaskRecipe recipe, TokenizerMap tokenizers, std::unique_ptr<Params> params);
  static Mask make(MaskRecipe recipe, const RunPlace& place);
  static std::vector<NeededTokenizer> needed_tokenizers(const MaskRecipe& recipe) {
    return {{"words", recipe.model.encoder.vocabulary}};
  }

  void read(const MaskData& data, Part part, ExampleSink<Query>& sink) const;
  std::string line_source() const { return "the training text, counted from its first file on"; }
  Dim rows(const Example& example) const {
    return std::ssize(example.tokens) + std::ssize(example.second);
  }
  /// What is hidden depends on the seed, the example's number and, if masking is dynamic, the
  /// epoch. Half of the contexts have the second part of another one (Devlin et al. 2019, 3.1, task
  /// 2), the same in each epoch.
  Example view(const Examples<Example>& examples, const Visit& visit) const;
  Forward forward(Batch<Example> batch, const Pass& pass) const;
  std::vector<Objective<Mask>> objectives() const;
  std::vector<Output> outputs(Batch<Example> batch, const Forward& forward) const;

  Query parse(const Input& input) const;
  Answer answer(const Query& query, const Output& output) const;
  /// Every layer over the tokens of the line, which is shaded for each mask by the attention of the
  /// last layer from there.
  RunRecord record(const Query& query, const RecordOptions& options) const;
  /// The beginnings of a few texts, each with a token hidden in its middle.
  void show(std::span<const Query> queries, const Examples<Example>&, ShownExamples& shown) const;

  /// A line as it is read, with a mask for each "[MASK]" in it: here alone that is more than
  /// letters.
  Query query_of(std::string line) const;

 private:
  std::string word_of(const FilledToken& token) const;
  /// The line with each mask that was read replaced by the likeliest word.
  std::string filled_in(const Query& query, const Output& output) const;
};

}  // namespace fovea
