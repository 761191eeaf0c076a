/// What a recipe of the task "translate" can say: a line of text goes in, a line comes out. From
/// one language to another, from letters to sounds, from a text to its summary.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/data/batches.h"
#include "fovea/decode/search.h"
#include "fovea/models/translator.h"
#include "fovea/tasks/data_parts.h"
#include "fovea/tasks/recipe.h"
#include "fovea/tasks/text_evaluation.h"
#include "fovea/text/tokenizer.h"
#include "fovea/train/trainer.h"

namespace fovea {

/// Files of text, source first.
struct TranslateData : DataParts {
  std::string alignments;   // of `train`: "0-0 1-2", from source word to target word
  Dim longest = 250;        // pieces; examples with a longer side are left out of training
  bool cut = false;         // instead, a longer source is read as far as that: summaries
  double ratio = 0;         // so are those of which one side is so many times longer; 0: any
  Dim join = 1;             // so many lines become one example, for models of long sequences
  bool neighbours = false;  // a source is read beside pairs of `train`: neighbour_reader.h

  template <class Visitor>
  void fields(Visitor& visit) {
    DataParts::fields(visit);
    visit("alignments", alignments);
    visit("longest", longest);
    visit("cut", cut);
    visit("ratio", ratio);
    visit("join", join);
    visit("neighbours", neighbours);
  }
};

struct TranslateText {
  bool joint = true;  // one tokenizer for both sides, as `source` says
  TokenizerConfig source = {}, target = {};
  double dropout = 0;  // pieces are cut anew in each epoch: Provilkov et al. 2020

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("joint", joint);
    visit("source", source);
    visit("target", target);
    visit("dropout", dropout);
  }
};

/// The model's settings: its family, and what that family asks for. Of a Transformer that is a
/// preset and what differs from it.
struct TranslateModel {
  Preset preset = Preset::base;
  TranslatorConfig config = default_config(TranslatorFamily::transformer);

  template <class Visitor>
  void fields(Visitor& visit) {
    TranslatorFamily family = family_of(config);
    visit("family", family);
    if (family != family_of(config)) config = default_config(family);
    if (auto* transformer = std::get_if<TransformerConfig>(&config)) {
      const Preset before = preset;
      visit("preset", preset);
      if (preset != before) *transformer = TransformerConfig::preset(preset);
    }
    std::visit([&](auto& settings) { settings.fields(visit); }, config);
  }
};

/// An Error that names the key, if what a recipe says cannot make a model.
inline void check(const TranslateModel& model) { check(model.config); }

/// In which direction targets are learned. Right to left is told by a control symbol that stands
/// in the place of the beginning.
enum class TargetDirection { forward, reverse, both };
constexpr std::array<std::string_view, 3> names_of(TargetDirection) {
  return {"forward", "reverse", "both"};
}

/// One head of a layer's attention is taught to look where given alignments point:
/// - 1/T sum over targets t of the mean of log a_ts over its sources s. Garg et al. 2019, eq. 2.
struct GuidedAlignment {
  double weight = 0.05;
  Dim layer = -1;  // of the decoder; -1: the last but one
  Dim head = 0;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("weight", weight);
    visit("layer", layer);
    visit("head", head);
  }
};

/// A further target that is learned on the same encoder: another language, another way to write
/// the same. Caruana 1997; Dong et al. 2015 for translation.
struct TranslateHead {
  std::string name;
  std::string train, dev;  // files, line by line beside the sources
  double weight = 1;
  TokenizerConfig text = {};
  Dim layers = 0;  // of its decoder; 0: as many as the model's

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("name", name);
    visit("train", train);
    visit("dev", dev);
    visit("weight", weight);
    visit("text", text);
    visit("layers", layers);
  }
};

struct TranslateObjective {
  double smoothing = 0.1;  // of the targets: Vaswani et al. 2017, 5.4
  TargetDirection direction = TargetDirection::forward;
  double reverse_weight = 1;  // with TargetDirection::both
  GuidedAlignment alignment = {};
  /// A model with a lag learns one of these in each batch, and can then be run with any: Elbayad et
  /// al. 2020, "Efficient wait-k models for simultaneous machine translation". None: model.lag.
  std::vector<Dim> lags = {};

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("lags", lags);
    visit("smoothing", smoothing);
    visit("direction", direction);
    visit("reverse_weight", reverse_weight);
    visit("alignment", alignment);
  }
};

/// How the program searches, and which of several translations it takes.
struct TranslateDecode : DecodeConfig {
  double ratio = 2;   // targets are at most so many times as long as their source, and 16 more
  Dim lag = -1;       // other than model.lag; -1: that
  double rerank = 0;  // weight of a second score of each of n_best: Liu et al. 2016
  /// Whose score that is: another trained translator, often one that writes from right to left, or
  /// the mean of several. None: the model's own in the other direction, if it has learned both.
  std::vector<std::string> second = {};

  template <class Visitor>
  void fields(Visitor& visit) {
    DecodeConfig::fields(visit);
    visit("ratio", ratio);
    visit("lag", lag);
    visit("rerank", rerank);
    visit("second", second);
  }
};

/// Throws if settings contradict each other or make no sense.
void check(const TranslateDecode& decode);

struct TranslateRecipe : RecipeHeader {
  TranslateData data;
  TranslateText text;
  BatchConfig batch;
  TranslateModel model;
  TranslateObjective objective;
  std::vector<TranslateHead> heads;
  TrainConfig train;
  TextEvaluation evaluate;
  TranslateDecode decode;

  template <class Visitor>
  void fields(Visitor& visit) {
    RecipeHeader::fields(visit);
    visit("data", data);
    visit("text", text);
    visit("batch", batch);
    visit("model", model);
    visit("objective", objective);
    visit("heads", heads);
    visit("train", train);
    visit("evaluate", evaluate);
    visit("decode", decode);
  }
};

/// An Error that names the key, if what a recipe says cannot be trained.
void check(const TranslateRecipe& recipe);

}  // namespace fovea
