/// A trained model of the task "elmo", as the program drives it: how well it foresees each word of
/// a line from either end.
#pragma once

#include "fovea/tasks/elmo/elmo_model.h"
#include "fovea/tasks/legacy_task.h"

namespace fovea {

class ElmoRunner : public LineRunner {
 public:
  ElmoRunner(const std::filesystem::path& folder, const std::vector<std::string>& settings);

  /// The perplexities of a line, forwards and backwards.
  std::vector<Answer> run_lines(std::span<const std::string> lines,
                                const RunOptions& options) override;
  TestResult test(const TestOptions& options) const override;
  /// Its words shaded by how little they were foreseen, from each end.
  std::vector<RunRecord> record_lines(std::span<const std::string> lines,
                                      std::span<const std::string> answers,
                                      const RecordOptions& options) override;

 private:
  /// -log P of each token of a text: forwards of all but the first, backwards of all but the last.
  struct Surprise {
    std::vector<double> forward, backward;
  };
  std::vector<Surprise> surprises(std::span<const ElmoText> texts) const;
  Surprise surprise(const ElmoText& text) const;

  ElmoModel model_;
};

}  // namespace fovea
