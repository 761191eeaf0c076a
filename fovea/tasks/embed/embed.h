/// The task "embed": a text goes in, a vector comes out that is near those of texts that mean the
/// same. Learned from pairs of texts that belong together.
#pragma once

#include <mutex>

#include "fovea/data/batches.h"
#include "fovea/models/sentence_encoder.h"
#include "fovea/tasks/example_task.h"
#include "fovea/tasks/report.h"
#include "fovea/tasks/runner.h"
#include "fovea/tasks/shown_examples.h"
#include "fovea/text/tokenizer.h"
#include "fovea/train/trainer.h"

namespace fovea {

/// Two files of texts that belong together line by line.
struct EmbedData : DataParts {
  Dim longest = 100;  // tokens of a text; what follows is not read

  template <class Visitor>
  void fields(Visitor& visit) {
    DataParts::fields(visit);
    visit("longest", longest);
  }
};

struct EmbedModel : SentenceEncoderConfig {
  std::string from = {};  // a model to begin with, as tasks/pretrained.h finds it

  template <class Visitor>
  void fields(Visitor& visit) {
    SentenceEncoderConfig::fields(visit);
    visit("from", from);
  }
};

struct EmbedRecipe : RecipeHeader {
  EmbedRecipe() { task = "embed", train.watch = "accuracy"; }

  EmbedData data;
  TokenizerConfig words = {.kind = TokenizerKind::bpe, .vocabulary = 8000};  // of both texts
  BatchConfig batch;  // the other pairs of a batch are what a pair is told from
  EmbedModel model;
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
void check(const EmbedRecipe& recipe);

/// Both texts with the marks around them; of a request `second` is empty.
struct EmbedExample {
  Ids first, second;

  template <class V>
  void columns(V& visit) {
    visit(first), visit(second);
  }
};

struct EmbedRequest {
  std::string nearest = {};  // a file: answer with its lines that are nearest, not with a vector

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("nearest", nearest);
  }
};

struct EmbedQuery {
  EmbedExample example;
  std::string text;
  EmbedRequest request = {};
  bool cut = false;
};

/// The vectors of the texts of a batch, (B, W) each; `second` undefined without second texts.
struct EmbedForward {
  Var first, second;
};

/// For each row of `asked` (A, W) the rows of `among` (C, W) with the largest products, at most
/// `count`, the largest first.
struct Neighbour {
  Dim row = 0;
  float likeness = 0;
};
std::vector<std::vector<Neighbour>> nearest(const Tensor& asked, const Tensor& among, Dim count);

/// Lines of a file and their vectors (lines, W).
struct EmbeddedFile {
  std::vector<std::string> lines;
  Tensor vectors;
};

/// The files that requests have named; threads may ask at once.
class EmbeddedFiles {
 public:
  /// The file that was asked for last stays, others are made anew.
  template <class Make>
  std::shared_ptr<const EmbeddedFile> get(const std::string& name, const Make& make) {
    const std::lock_guard lock(mutex_);
    if (!last_ || name_ != name) {
      last_ = std::make_shared<const EmbeddedFile>(make());
      name_ = name;
    }
    return last_;
  }

 private:
  std::mutex mutex_;
  std::string name_;
  std::shared_ptr<const EmbeddedFile> last_;
};

struct Embed : ExampleTask<EmbedRecipe> {
  static constexpr std::string_view name = "embed";
  static constexpr Abilities abilities = {.vectors = true};
  using Example = EmbedExample;
  using Query = EmbedQuery;
  using Forward = EmbedForward;
  struct Output {
    std::vector<float> first, second;
  };

  /// How many texts have their own other half nearest.
  struct Score {
    explicit Score(const Embed&) {}
    void add(const Example&, const Output& vectors);
    std::vector<Report> reports(const Losses&) const;

    Dim pairs = 0;
    std::vector<float> first, second;  // vectors, one after the other
  };

  Tokenizer words;
  SentenceEncoder net;
  std::shared_ptr<EmbeddedFiles> files = std::make_shared<EmbeddedFiles>();

  Embed(EmbedRecipe recipe, TokenizerMap tokenizers, std::unique_ptr<Params> params);
  static Embed make(EmbedRecipe recipe, const RunPlace& place);
  static std::vector<NeededTokenizer> needed_tokenizers(const EmbedRecipe& recipe) {
    return {{"words", recipe.model.encoder.vocabulary}};
  }

  void read(const EmbedData& data, Part part, ExampleSink<Query>& sink) const;
  Dim rows(const Example& example) const {
    return std::ssize(example.first) + std::ssize(example.second);
  }
  Forward forward(Batch<Example> batch, const Pass& pass) const;
  std::vector<Objective<Embed>> objectives() const;
  std::vector<Output> outputs(Batch<Example> batch, const Forward& vectors) const;

  Query parse(const Input& input) const;
  Answer answer(const Query& query, const Output& vectors) const;
  RunRecord record(const Query& query, const RecordOptions& options) const;
  void show(std::span<const Query> queries, const Examples<Example>& examples,
            ShownExamples& shown) const;

 private:
  Ids encode(std::string_view text, bool* cut = nullptr) const;
  EmbeddedFile embedded(const std::string& file) const;
};

}  // namespace fovea
