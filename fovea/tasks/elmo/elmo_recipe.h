/// What a recipe of the task "elmo" can say: two language models learn from text alone, one from
/// each end, and other tasks take what their layers know of each word (Peters et al. 2018).
#pragma once

#include <string>
#include <vector>

#include "fovea/data/batches.h"
#include "fovea/models/elmo.h"
#include "fovea/tasks/data_parts.h"
#include "fovea/tasks/recipe.h"
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

}  // namespace fovea
