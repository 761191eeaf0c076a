/// A trained model of the task "embed", as the program drives it: a line becomes a vector, or, with
/// lines to search among, the nearest of them.
#pragma once

#include "fovea/tasks/embed/embedding_model.h"
#include "fovea/tasks/runner.h"

namespace fovea {

class EmbedRunner : public Runner {
 public:
  EmbedRunner(const std::filesystem::path& folder, const std::vector<std::string>& settings);

  std::vector<Answer> run(std::span<const std::string> lines, const RunOptions& options) override;
  /// How often the second text of a pair is the nearest to the first of all second texts, and the
  /// other way round.
  TestResult test(const TestOptions& options) override;
  /// Every layer over the tokens of the line, which is shaded by where the last one looked.
  std::vector<RunRecord> record(std::span<const std::string> lines,
                                std::span<const std::string> answers,
                                const RecordOptions& options) override;

 private:
  /// Lines of a file and their vectors, kept for the next call.
  struct Shelf {
    std::string file;
    std::vector<std::string> lines = {};
    Tensor vectors = {};
  };
  const Shelf& shelf(const std::string& file);
  RunRecord record_of(const std::string& line, const RecordOptions& options) const;

  EmbeddingModel model_;
  Shelf shelf_;
};

}  // namespace fovea
