/// What a recipe of the task "answer" can say: a question and texts go in, an answer comes out of
/// them. Either one of several sentences (model.kind = "choice"), or a span of a passage, or the
/// word that it has none ("span").
#pragma once

#include "fovea/data/batches.h"
#include "fovea/models/answerer.h"
#include "fovea/tasks/data_parts.h"
#include "fovea/tasks/recipe.h"
#include "fovea/text/tokenizer.h"
#include "fovea/train/trainer.h"

namespace fovea {

/// choice: files of questions, sentences and labels (1: it answers, 0: it does not); the sentences
/// of a question follow one another. span: files of questions, passages and answers, which are
/// characters of the passage ("12-25 40-44", the last not included) or "none".
struct AnswerData : DataParts {
  Dim longest = 300;  // tokens of a text; what follows is not read

  template <class Visitor>
  void fields(Visitor& visit) {
    DataParts::fields(visit);
    visit("longest", longest);
  }
};

/// Of spans.
struct AnswerDecode {
  Dim longest = 30;      // words
  double no_answer = 0;  // added to the logarithm of the probability that there is none

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("longest", longest);
    visit("no_answer", no_answer);
  }
};

struct AnswerSettings : AnswererConfig {
  std::string from = {};  // a model to begin with, as tasks/pretrained.h finds it

  template <class Visitor>
  void fields(Visitor& visit) {
    AnswererConfig::fields(visit);
    visit("from", from);
  }
};

struct AnswerRecipe : RecipeHeader {
  AnswerRecipe() { task = "answer"; }

  AnswerData data;
  TokenizerConfig words = {
      .kind = TokenizerKind::words, .vocabulary = 30'000, .lowercase = true, .marks_apart = true};
  BatchConfig batch;
  AnswerSettings model;
  AnswerDecode decode;
  TrainConfig train;

  template <class Visitor>
  void fields(Visitor& visit) {
    RecipeHeader::fields(visit);
    visit("data", data);
    visit("words", words);
    visit("batch", batch);
    visit("model", model);
    visit("decode", decode);
    visit("train", train);
  }
};

}  // namespace fovea
