/// What a recipe of the task "mask" can say: an encoder learns from text alone by filling in words
/// that were hidden from it (BERT: Devlin et al. 2019; RoBERTa: Liu et al. 2019). Other tasks begin
/// with what it learned (`model.from`), and it fills in masks itself.
#pragma once

#include <string>
#include <vector>

#include "fovea/data/batches.h"
#include "fovea/models/masked_model.h"
#include "fovea/tasks/data_parts.h"
#include "fovea/tasks/mask/masking.h"
#include "fovea/tasks/recipe.h"
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

}  // namespace fovea
