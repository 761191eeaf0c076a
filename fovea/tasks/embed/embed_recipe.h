/// What a recipe of the task "embed" can say: a text goes in, a vector comes out that is near those
/// of texts that mean the same. Learned from pairs of texts that belong together.
#pragma once

#include <string>

#include "fovea/data/batches.h"
#include "fovea/models/sentence_encoder.h"
#include "fovea/tasks/data_parts.h"
#include "fovea/tasks/recipe.h"
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
  EmbedRecipe() { task = TaskKind::embed; }

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

}  // namespace fovea
