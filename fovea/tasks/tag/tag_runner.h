/// A trained model of the task "tag", as the program drives it. A line is words between white
/// space; the answer is each with its tag ("Peter/B-PER"), after the intent and a tab if the model
/// knows intents.
#pragma once

#include "fovea/tasks/legacy_task.h"
#include "fovea/tasks/tag/tagging_model.h"

namespace fovea {

class TagRunner : public LineRunner {
 public:
  TagRunner(const std::filesystem::path& folder, const std::vector<std::string>& settings);

  /// As JSON also the entities: type, text, and the characters of the line [begin, end) that they
  /// are. A line without words has no entities and no intent.
  std::vector<Answer> run_lines(std::span<const std::string> lines,
                                const RunOptions& options) override;
  /// F1 of all entities and of each type; with intents also how many of these and of whole frames
  /// are right. Tags and intents that training never saw count as wrong and are told.
  TestResult test(const TestOptions& options) const override;
  /// A Transformer: which words each word looked at. With intents: which words told the intent. A
  /// recurrent model without intents looks at nothing, which is an Error.
  std::vector<RunRecord> record_lines(std::span<const std::string> lines,
                                      std::span<const std::string> answers,
                                      const RecordOptions& options) override;

 private:
  TaggingModel model_;
};

}  // namespace fovea
