/// What a task says whose data are examples and which answers inputs one by one. A task is a class
/// T that holds a model and says only what is its own; ExampleWorkload<T> trains it,
/// PredictionRunner<T> runs it, and one Task entry (task.h) makes it known. T derives from
/// ExampleTask<Recipe> and has:
///
///   static constexpr std::string_view name = "cloze";
///   using Example;   // what training stores: typed columns, see data/examples.h
///   using Query;     // what is asked: has an `Example example`, and what an answer needs beside
///   it using Forward;   // what one pass over a batch gives: logits, rows of an encoder using
///   Output;    // what the model says to one example struct Score;    // explicit Score(const T&);
///   add(Example, Output); reports(Losses), for
///                    // validation and test alike
///
///   static T make(Recipe, const RunPlace&);   // learns tokenizers and labels, draws the weights
///   T(Recipe, TokenizerMap, std::unique_ptr<Params>);
///   static std::vector<NeededTokenizer> needed_tokenizers(const Recipe&);
///
///   void read(const Data&, Part, ExampleSink<Query>&) const;   // the examples of a part
///   Dim rows(const Example&) const;                            // what it costs in a batch
///   Forward forward(Batch<Example>, const Pass&) const;
///   std::vector<Objective<T>> objectives() const;              // what training makes small
///   std::vector<Output> outputs(Batch<Example>, const Forward&) const;
///
///   Query parse(const Input&) const;                           // an Error, if it cannot be read
///   Answer answer(const Query&, const Output&) const;
///   RunRecord record(const Query&, const RecordOptions&) const;
///   void show(std::span<const Query>, const Examples<Example>&, ShownExamples&) const;
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "fovea/data/examples.h"
#include "fovea/data/split.h"
#include "fovea/tasks/data_parts.h"
#include "fovea/tasks/pretrained.h"
#include "fovea/tasks/runner.h"
#include "fovea/tasks/trained_model.h"
#include "fovea/train/workload.h"

namespace fovea {

/// Examples that are computed together.
template <class Example>
using Batch = std::span<const Example>;

/// Takes what a task reads, one example after the other.
template <class Query>
class ExampleSink {
 public:
  virtual ~ExampleSink() = default;
  /// `line`: where it stands in its file, from 1.
  virtual void add(Query query, std::int64_t line) = 0;
  /// An example that is not learned from, and why: "longer than data.longest = 10".
  virtual void skip(const std::string& reason) = 0;
};

/// One of the losses of a task. All share one forward pass.
template <class T>
struct Objective {
  LossPart part;
  /// How much a batch counts (examples, or predicted tokens); known before the forward pass.
  std::function<double(Batch<typename T::Example>)> count;
  /// The sum over a batch that counts; undefined if the pass has no such loss.
  std::function<Var(Batch<typename T::Example>, const typename T::Forward&)> sum;
};

/// One look of training at an example: what is drawn for it depends on nothing else.
struct Visit {
  Part part = Part::train;
  Dim epoch = 0;
  std::uint32_t example = 0;
  Dim batch = 0;  // of the epoch: for what all its examples share
};

/// What most tasks do not say themselves.
template <class R>
struct ExampleTask : TrainedModel<R> {
  using Data = decltype(R::data);

  /// That it reads lines of text.
  static constexpr Abilities abilities = {};
  /// Settings that follow from others.
  static void complete(R&) {}
  /// Makes the names of files and earlier runs such that they are understood from everywhere.
  static void locate(R& recipe, const std::filesystem::path& base) {
    fovea::locate(recipe.data, base);
    if constexpr (requires { recipe.model.from; }) {
      recipe.model.from = located_run(recipe.model.from, base);
    }
  }
  /// The width of the model's rows.
  Dim model_width() const {
    if constexpr (requires { this->recipe.model.encoder.width; }) {
      return this->recipe.model.encoder.width;
    } else {
      return this->recipe.model.width;
    }
  }
  /// Where the lines of examples stand, for errors: "lines 3, 12 of train.en".
  std::string line_source() const { return this->recipe.data.train.front(); }
  /// A part has been read for training: what is counted over a whole set is counted now.
  template <class E>
  void take(Part, const Examples<E>&) {}
  /// An example as it is read in this visit: with words dropped, masked, or as it is.
  template <class E>
  E view(const Examples<E>& examples, const Visit& visit) const {
    return examples[visit.example];
  }
};

}  // namespace fovea
