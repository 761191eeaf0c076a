/// A model that answers questions, with all that stands around it in its folder:
///
///   config.json          the recipe, with everything that it left to defaults
///   model.safetensors    the weights
///   words.json           the tokenizer
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/tasks/answer/answer_data.h"
#include "fovea/text/word_places.h"

namespace fovea {

/// A passage as ids, which word each is of, and where words stand. Where the tokenizer knows places
/// by itself, its tokens are the words.
struct EncodedPassage {
  Ids ids;
  std::vector<std::size_t> word;  // of each id
  std::vector<PlacedWord> words;  // of what is read; lent by the passage
};

struct AnswerModel {
  AnswerRecipe recipe;
  Tokenizer words;
  std::unique_ptr<Params> params;
  Answerer answerer;

  AnswerModel(AnswerRecipe recipe, Tokenizer words, std::unique_ptr<Params> params);
  /// Errors name the file that is missing, cut off or does not fit the others.
  static AnswerModel load(const std::filesystem::path& folder,
                          const std::vector<std::string>& settings = {}, Use use = Use::train);
  /// Writes all but the weights; returns the names of these files and folders.
  std::vector<std::string> save_rest(const std::filesystem::path& folder) const;

  /// At most `longest` ids, and no more than the encoder has places for: half of them for a
  /// question, and what is left beside its `asked` ids for a text.
  Ids encode_question(std::string_view question) const;
  Ids encode(std::string_view text, std::size_t asked) const;
  EncodedPassage encode_passage(std::string_view passage, std::size_t asked) const;
  /// Whether a text has more than is read after this question.
  bool too_long(std::string_view question, std::string_view text) const;
  /// Rows that a question and a text take with the marks around them.
  Dim rows_of(const Ids& question, const Ids& text) const;

 private:
  Dim places() const;  // of the encoder, beside the marks
  std::size_t longest(std::size_t asked) const;
};

/// P of each sentence to be the answer, for each question. `progress` is told how many questions
/// are done.
std::vector<std::vector<float>> choose(const AnswerModel& model,
                                       std::span<const ChoiceExample> questions,
                                       const std::function<void(Dim)>& progress = {});

/// The likeliest span; "" with begin = end: the passage does not say.
struct FoundSpan {
  std::string text;
  Dim begin = 0, end = 0;         // characters of the passage
  double probability = 0;         // P(begin) P(end)
  double none = 0;                // that it has no answer
  std::vector<float> words = {};  // (P(begin) + P(end)) / 2 of each word that was read
};
std::vector<FoundSpan> find_spans(const AnswerModel& model, std::span<const SpanExample> questions,
                                  const std::function<void(Dim)>& progress = {});

}  // namespace fovea
