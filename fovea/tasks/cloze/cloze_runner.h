/// A trained model of the task "cloze", as the program drives it. A line is a document and a
/// question with "@placeholder" in it, with a tab between them.
#pragma once

#include "fovea/tasks/cloze/cloze_model.h"
#include "fovea/tasks/runner.h"

namespace fovea {

class ClozeRunner : public Runner {
 public:
  ClozeRunner(const std::filesystem::path& folder, const std::vector<std::string>& settings);

  std::vector<Answer> run(std::span<const std::string> lines, const RunOptions& options) override;
  /// Accuracy: how often the likeliest word is the answer.
  TestResult test(const TestOptions& options) override;
  /// The document shaded by the probability of its words, and which words of it each word of the
  /// question looked at.
  std::vector<RunRecord> record(std::span<const std::string> lines,
                                std::span<const std::string> answers,
                                const RecordOptions& options) override;

 private:
  ClozeModel model_;
};

}  // namespace fovea
