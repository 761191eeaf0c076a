/// What a recipe's files hold, as the task "tag" needs it.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "fovea/data/columns.h"
#include "fovea/data/corpus.h"
#include "fovea/tasks/tag/tagging_model.h"

namespace fovea {

/// A text as people tagged it.
struct GivenText {
  Words words, tags;
  std::string intent = {};
  std::int64_t line = 0;  // of its first word
};

/// Text by text through one part of the data. Tags that the scheme does not have, and lines with
/// other numbers of tags than of words, are Errors that name file and line.
class TagReader {
 public:
  /// `base`: the recipe's folder, from which its paths are seen.
  TagReader(const TagRecipe& recipe, Part part, const std::filesystem::path& base);
  bool next(GivenText& text);

 private:
  bool next_line(GivenText& text);
  bool next_sentence(GivenText& text);
  void check(const GivenText& text) const;
  std::string place(std::int64_t line, std::size_t file) const;

  TagScheme scheme_;
  std::vector<std::string> files_;
  std::optional<PartReader> lines_;  // one of both
  std::optional<ColumnReader> sentences_;
  SplitConfig split_;  // of sentences
  Part part_;
  bool split_here_;
  std::vector<std::string> fields_;
  ColumnSentence sentence_;
};

std::vector<GivenText> read_texts(const TagRecipe& recipe, Part part,
                                  const std::filesystem::path& base);

/// Fills in what the training part tells: tags of the model's scheme and intents, sorted.
void learn_labels(TagRecipe& recipe, std::span<const GivenText> train);

/// Fields of an example: as EncodedWords, then tags and intent.
constexpr Dim pieces_field = 0;
Corpus corpus_of(const TaggingModel& model, std::span<const GivenText> texts,
                 const std::filesystem::path& scratch);

/// What of an example the model reads.
WordIds words_of(const Corpus& corpus, Dim example);
std::span<const std::int32_t> tags_of(const Corpus& corpus, Dim example);
/// -1: training never saw it, or there are no intents.
std::int32_t intent_of(const Corpus& corpus, Dim example);

}  // namespace fovea
