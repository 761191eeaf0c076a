/// What a recipe's files hold, as the task "classify" needs it.
#pragma once

#include <filesystem>
#include <vector>

#include "fovea/data/corpus.h"
#include "fovea/tasks/classify/classification_model.h"
#include "fovea/tasks/skipped_examples.h"

namespace fovea {

/// A label, one or two texts, and where they stood.
struct LabelledText {
  Dim label = 0;
  TextPair text;
  std::int64_t line = 0;
};

/// Line by line through one part of the data. Classes go by their labels or by their names; what is
/// neither is an Error that names file and line.
class LabelledReader {
 public:
  /// `base`: the recipe's folder, from which its paths are seen.
  LabelledReader(const ClassifyRecipe& recipe, Part part, const std::filesystem::path& base);
  bool next(LabelledText& example);

 private:
  PartReader reader_;
  std::string file_;  // of the labels
  ClassifyData data_;
  std::vector<std::string> fields_;
};

/// The labels of the training part, sorted.
std::vector<std::string> labels_in(const ClassifyRecipe& recipe, const std::filesystem::path& base);

/// Learned from all texts of the training part.
Tokenizer train_words(const ClassifyRecipe& recipe, const std::filesystem::path& base);

std::vector<LabelledText> read_labelled(const ClassifyRecipe& recipe, Part part,
                                        const std::filesystem::path& base);

/// The fields of an example: label; words; lengths of sentences; words of the second text.
/// `left_out`, if it is not null, is told of each example.
Corpus read_corpus(const ClassificationModel& model, Part part, const std::filesystem::path& base,
                   const std::filesystem::path& scratch, SkippedExamples* left_out = nullptr);

}  // namespace fovea
