/// What a recipe of the task "classify" can say: a text, or a pair of texts, goes in, one of
/// several labels comes out. What a review thinks, what a question asks for, whether one sentence
/// follows from another.
#pragma once

#include <string>
#include <vector>

#include "fovea/data/batches.h"
#include "fovea/models/text_classifier.h"
#include "fovea/tasks/data_parts.h"
#include "fovea/tasks/recipe.h"
#include "fovea/text/tokenizer.h"
#include "fovea/train/trainer.h"

namespace fovea {

/// Files of labels and of one or two texts, in this order.
struct ClassifyData : DataParts {
  bool apart = false;                    // leaves out of training what also stands in dev or test
  Dim longest = 400;                     // words of a text; what follows is not read
  std::vector<std::string> labels = {};  // as files have them; none: those of `train`, sorted
  std::vector<std::string> names = {};   // as answers have them; none: the labels

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
  Dim sentence = 60;        // hierarchical: words; a longer one goes on as another
  double word_dropout = 0;  // while training, the share of words that are read as unknown

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
  double smoothing = 0;  // of the labels: Szegedy et al. 2016, 7

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

}  // namespace fovea
