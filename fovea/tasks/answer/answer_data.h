/// What a recipe's files hold, as the task "answer" needs it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "fovea/tasks/answer/answer_recipe.h"

namespace fovea {

/// A question and the sentences that may answer it.
struct ChoiceExample {
  std::string question;
  std::vector<std::string> sentences;
  std::vector<bool> right = {};
  std::int64_t line = 0;  // of the first sentence

  bool answered() const;  // some sentence is right
};

/// A question and a passage, with all answers that are right: none, or characters [begin, end).
struct SpanExample {
  struct Range {
    Dim begin = 0, end = 0;
  };
  std::string question, passage;
  std::vector<Range> answers = {};
  std::int64_t line = 0;

  /// The answers as they stand in the passage.
  std::vector<std::string> texts() const;
};

/// Errors name file and line.
std::vector<ChoiceExample> read_choices(const AnswerRecipe& recipe, Part part,
                                        const std::filesystem::path& base);
std::vector<SpanExample> read_spans(const AnswerRecipe& recipe, Part part,
                                    const std::filesystem::path& base);

/// Characters [begin, end) of a text.
std::string cut_out(std::string_view text, Dim begin, Dim end);

}  // namespace fovea
