/// What a recipe of the task "cloze" can say: a document and a question with a blank go in, the
/// word of the document that fills it comes out.
#pragma once

#include "fovea/data/batches.h"
#include "fovea/models/cloze_reader.h"
#include "fovea/tasks/data_parts.h"
#include "fovea/tasks/recipe.h"
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
  ClozeRecipe() { task = TaskKind::cloze; }

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

}  // namespace fovea
