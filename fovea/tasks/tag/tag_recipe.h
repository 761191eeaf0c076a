/// What a recipe of the task "tag" can say: the words of a text go in, a tag for each comes out,
/// and if the data has them also what the whole text asks for. Names in news, slots and intents of
/// orders.
#pragma once

#include <string>
#include <vector>

#include "fovea/data/batches.h"
#include "fovea/metrics/entities.h"
#include "fovea/models/tagger.h"
#include "fovea/tasks/data_parts.h"
#include "fovea/tasks/recipe.h"
#include "fovea/text/tokenizer.h"
#include "fovea/train/trainer.h"

namespace fovea {

enum class TagForm {
  lines,    // files of words, of their tags and, if there are any, of intents: a text a line
  columns,  // two columns of one file, a word a line: data/columns.h
};
constexpr std::array<std::string_view, 2> names_of(TagForm) { return {"lines", "columns"}; }

/// Files (or columns) of words and of tags, in this order, and if there are any of intents.
struct TagData : DataParts {
  TagForm form = TagForm::lines;
  TagScheme scheme = TagScheme::iob2;  // of the files, and of answers
  std::vector<std::string> tags = {};  // of the model; told by the training part
  std::vector<std::string> intents = {};

  template <class Visitor>
  void fields(Visitor& visit) {
    DataParts::fields(visit);
    visit("form", form);
    visit("scheme", scheme);
    visit("tags", tags);
    visit("intents", intents);
  }
};

struct TagText {
  TokenizerConfig words = {.kind = TokenizerKind::words, .vocabulary = 0, .lowercase = true};
  bool letters = true;                  // words are also read letter by letter, in their case
  TagScheme scheme = TagScheme::bioes;  // that the model learns
  /// While training, a word that was seen n times is read as unknown with probability d / (n + d):
  /// Kiperwasser and Goldberg 2016, 4.1.
  double word_dropout = 0.25;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("words", words);
    visit("letters", letters);
    visit("scheme", scheme);
    visit("word_dropout", word_dropout);
  }
};

struct TagModel : TaggerConfig {
  std::string from = {};  // a model to begin with, as tasks/pretrained.h finds it
  std::string elmo = {};  // a model of the task "elmo": what it knows stands beside each word

  template <class Visitor>
  void fields(Visitor& visit) {
    TaggerConfig::fields(visit);
    visit("from", from);
    visit("elmo", elmo);
  }
};

struct TagObjective {
  double intent = 0.1;  // the weight of a text's intent against that of a word's tag

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("intent", intent);
  }
};

struct TagRecipe : RecipeHeader {
  TagRecipe() { task = "tag"; }

  TagData data;
  TagText text;
  BatchConfig batch;
  TagModel model;
  TagObjective objective;
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
