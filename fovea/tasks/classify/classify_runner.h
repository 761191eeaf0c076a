/// A trained model of the task "classify", as the program drives it. A line is a text, or two with
/// a tab between them.
#pragma once

#include "fovea/tasks/classify/classification_model.h"
#include "fovea/tasks/legacy_task.h"

namespace fovea {

class ClassifyRunner : public LineRunner {
 public:
  ClassifyRunner(const std::filesystem::path& folder, const std::vector<std::string>& settings);

  std::vector<Answer> run_lines(std::span<const std::string> lines,
                                const RunOptions& options) override;
  /// Accuracy, the mean of the classes' F1, and precision, recall and F1 of each.
  TestResult test(const TestOptions& options) const override;
  std::vector<RunRecord> record_lines(std::span<const std::string> lines,
                                      std::span<const std::string> answers,
                                      const RecordOptions& options) override;

 private:
  TextPair text_of(const std::string& line) const;

  ClassificationModel model_;
};

}  // namespace fovea
