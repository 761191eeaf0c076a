/// A trained model of the task "mask", as the program drives it: a line with "[MASK]" in it, once
/// or more, is answered with the words that may stand there.
#pragma once

#include "fovea/tasks/legacy_task.h"
#include "fovea/tasks/mask/masked_language_model.h"

namespace fovea {

class MaskRunner : public LineRunner {
 public:
  MaskRunner(const std::filesystem::path& folder, const std::vector<std::string>& settings);

  std::vector<Answer> run_lines(std::span<const std::string> lines,
                                const RunOptions& options) override;
  /// How many hidden words are found, perplexity, and, if it was learned, how often it is known
  /// whether a second part followed.
  TestResult test(const TestOptions& options) const override;
  /// Every layer over the tokens of the line, which is shaded for each mask by where the last layer
  /// looked from there.
  std::vector<RunRecord> record_lines(std::span<const std::string> lines,
                                      std::span<const std::string> answers,
                                      const RecordOptions& options) override;

 private:
  RunRecord record_of(const std::string& line, const RecordOptions& options) const;

  MaskedLanguageModel model_;
};

}  // namespace fovea
