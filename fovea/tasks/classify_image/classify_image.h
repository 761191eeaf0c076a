/// The task "classify-image": an image goes in, one of several classes comes out. Learned from idx
/// files of images and labels, as MNIST has them.
#pragma once

#include "fovea/data/batches.h"
#include "fovea/image/image.h"
#include "fovea/metrics/classification.h"
#include "fovea/models/vit.h"
#include "fovea/tasks/example_task.h"
#include "fovea/tasks/report.h"
#include "fovea/tasks/runner.h"
#include "fovea/tasks/shown_examples.h"
#include "fovea/train/trainer.h"

namespace fovea {

/// Two idx files a part: images, labels.
struct ImageData : DataParts {
  std::vector<std::string> names = {};  // of the classes, in answers; default: their numbers

  template <class Visitor>
  void fields(Visitor& visit) {
    DataParts::fields(visit);
    visit("names", names);
  }
};

struct ClassifyImageRecipe : RecipeHeader {
  ClassifyImageRecipe() { task = "classify-image"; }

  ImageData data;
  BatchConfig batch;
  VitConfig model;
  TrainConfig train;

  template <class Visitor>
  void fields(Visitor& visit) {
    RecipeHeader::fields(visit);
    visit("data", data);
    visit("batch", batch);
    visit("model", model);
    visit("train", train);
  }
};

/// An Error that names the key, if what a recipe says cannot make a model.
void check(const ClassifyImageRecipe& recipe);

/// An image of the size that the model reads, and its class.
struct ImageExample {
  std::vector<std::uint8_t> pixels;
  std::int32_t label = -1;

  template <class V>
  void columns(V& visit) {
    visit(pixels), visit(label);
  }
};

struct ImageQuery {
  ImageExample example;
  std::string name = {};  // of the file
};

struct ClassifyImage : ExampleTask<ClassifyImageRecipe> {
  static constexpr std::string_view name = "classify-image";
  static constexpr Abilities abilities = {.media = true};
  using Example = ImageExample;
  using Query = ImageQuery;
  using Forward = Var;                // logits (B, C)
  using Output = std::vector<float>;  // the probability of each class

  struct Score {
    explicit Score(const ClassifyImage& task) : confusion(task.recipe.model.classes) {}
    void add(const Example& example, const Output& probabilities);
    std::vector<Report> reports(const Losses& losses) const;

    Confusion confusion;
  };

  Vit net;

  ClassifyImage(ClassifyImageRecipe recipe, TokenizerMap, std::unique_ptr<Params> params);
  static ClassifyImage make(ClassifyImageRecipe recipe, const RunPlace& place);
  static std::vector<NeededTokenizer> needed_tokenizers(const ClassifyImageRecipe&) { return {}; }

  void read(const ImageData& data, Part part, ExampleSink<Query>& sink) const;
  Dim rows(const Example&) const { return net.config.rows() * net.config.columns() + 1; }
  Forward forward(Batch<Example> batch, const Pass& pass) const;
  std::vector<Objective<ClassifyImage>> objectives() const;
  std::vector<Output> outputs(Batch<Example> batch, const Forward& logits) const;

  Query parse(const Input& input) const;
  Answer answer(const Query& query, const Output& probabilities) const;
  /// Attention of every layer among the class vector and the patches.
  RunRecord record(const Query& query, const RecordOptions& options) const;
  void show(std::span<const Query> queries, const Examples<Example>&, ShownExamples& shown) const;

 private:
  Image image_of(const Example& example) const;
  std::string class_name(Dim label) const;
};

}  // namespace fovea
