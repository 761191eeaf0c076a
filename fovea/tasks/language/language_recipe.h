/// What a recipe of the task "language" can say: a text is read, and what follows is written.
#pragma once

#include <string>
#include <vector>

#include "fovea/data/stretches.h"
#include "fovea/decode/search.h"
#include "fovea/models/language_model.h"
#include "fovea/tasks/data_parts.h"
#include "fovea/tasks/recipe.h"
#include "fovea/text/tokenizer.h"
#include "fovea/train/trainer.h"

namespace fovea {

/// Files of a part are read one after the other. A share of `split` is told by position: the test
/// set is the end of the text, the dev set stands before it.
using LanguageData = DataParts;

/// How a text is measured; every token counts.
struct LanguageEvaluation {
  /// Transformers: windows of batch.context tokens, each so many after the one before. As many as
  /// the context (0): side by side, so that the first tokens of each know little. Fewer: better,
  /// and slower.
  Dim stride = 0;
  /// Recurrent models: the text is read as so many streams at the same time, each from the
  /// beginning. One is exact, several are faster.
  Dim streams = 10;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("stride", stride);
    visit("streams", streams);
  }
};

struct LanguageDecode : DecodeConfig {
  LanguageDecode() { search = Search::sample, max_length = 500; }  // without the prompt

  std::vector<std::string> stop = {};  // what ends a text; it is no part of it

  template <class Visitor>
  void fields(Visitor& visit) {
    DecodeConfig::fields(visit);
    visit("stop", stop);
  }
};

/// Throws if settings contradict each other or make no sense.
void check(const LanguageDecode& decode);

struct LanguageRecipe : RecipeHeader {
  LanguageRecipe() { task = "language"; }

  LanguageData data;
  TokenizerConfig text = {
      .kind = TokenizerKind::characters, .vocabulary = 0, .form = TextForm::none};
  StretchConfig batch;
  LanguageModelConfig model;
  TrainConfig train;
  LanguageEvaluation evaluate;
  LanguageDecode decode;

  template <class Visitor>
  void fields(Visitor& visit) {
    RecipeHeader::fields(visit);
    visit("data", data);
    visit("text", text);
    visit("batch", batch);
    visit("model", model);
    visit("train", train);
    visit("evaluate", evaluate);
    visit("decode", decode);
  }
};

}  // namespace fovea
