/// A trained model of the task "answer", as the program drives it. A line is a question and, each
/// after a tab, the sentences to choose from, or the passage.
#pragma once

#include "fovea/tasks/answer/answer_model.h"
#include "fovea/tasks/legacy_task.h"

namespace fovea {

class AnswerRunner : public LineRunner {
 public:
  AnswerRunner(const std::filesystem::path& folder, const std::vector<std::string>& settings);

  std::vector<Answer> run_lines(std::span<const std::string> lines,
                                const RunOptions& options) override;
  TestResult test(const TestOptions& options) const override;
  /// The texts shaded by the probability of their words or sentences, and where question and text
  /// looked.
  std::vector<RunRecord> record_lines(std::span<const std::string> lines,
                                      std::span<const std::string> answers,
                                      const RecordOptions& options) override;

 private:
  bool spans() const { return model_.recipe.model.kind == AnswerKind::span; }
  ChoiceExample choice_of(const std::string& line) const;
  SpanExample span_of(const std::string& line) const;
  std::vector<Answer> run_choices(std::span<const std::string> lines, const RunOptions& options);
  std::vector<Answer> run_spans(std::span<const std::string> lines, const RunOptions& options);

  AnswerModel model_;
};

}  // namespace fovea
