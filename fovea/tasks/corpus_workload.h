/// What the workloads of all tasks share whose examples stand in a Corpus: batches by rows, and
/// their place in the data.
#pragma once

#include <optional>

#include "fovea/data/batches.h"
#include "fovea/data/corpus.h"
#include "fovea/tasks/skipped_examples.h"
#include "fovea/train/workload.h"

namespace fovea {

class CorpusWorkload : public Workload {
 public:
  Dim examples() const override { return train_.size(); }
  std::vector<std::string> notes() const override { return left_out_.notes(); }
  std::vector<LossPart> parts() const override { return {{"loss"}}; }
  Dim begin_epoch(Dim epoch) override;
  /// Examples, unless a task counts something else.
  std::vector<double> counts(Dim batch) override;
  std::string describe(Dim batch) override;

 protected:
  /// What an example costs: the ids of these fields. `source`: the file that errors name.
  void take(Corpus train, std::optional<Corpus> dev, const std::vector<Dim>& fields,
            const BatchConfig& batch, const std::string& source);

  /// The examples of a batch of this epoch.
  std::span<const std::uint32_t> examples_of(Dim batch) const { return (*batches_)[batch]; }
  /// All examples of `dev`, in batches without order.
  Batches dev_batches() const;
  Dim epoch() const { return epoch_; }
  const Corpus& train() const { return train_; }
  const std::optional<Corpus>& dev() const { return dev_; }
  /// For who reads the training set.
  SkippedExamples& left_out() { return left_out_; }

 private:
  static std::vector<std::int32_t> rows_of(const Corpus& corpus, const std::vector<Dim>& fields);

  SkippedExamples left_out_;
  Corpus train_;
  std::optional<Corpus> dev_;
  std::vector<std::int32_t> rows_, dev_rows_;  // of each example
  BatchConfig config_;
  std::string source_;
  Dim epoch_ = 0;
  std::optional<Batches> batches_;
};

}  // namespace fovea
