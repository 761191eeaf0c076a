#include "fovea/tasks/corpus_workload.h"

namespace fovea {

void CorpusWorkload::take(Corpus train, std::optional<Corpus> dev, const std::vector<Dim>& fields,
                          const BatchConfig& batch, const std::string& source) {
  train_ = std::move(train);
  dev_ = std::move(dev);
  rows_ = rows_of(train_, fields);
  if (dev_) dev_rows_ = rows_of(*dev_, fields);
  config_ = batch;
  source_ = source;
}

std::vector<std::int32_t> CorpusWorkload::rows_of(const Corpus& corpus,
                                                  const std::vector<Dim>& fields) {
  std::vector<std::int32_t> rows(static_cast<std::size_t>(corpus.size()), 0);
  for (Dim e = 0; e < corpus.size(); ++e) {
    for (const Dim field : fields) rows[static_cast<std::size_t>(e)] += corpus.length(e, field);
  }
  return rows;
}

Dim CorpusWorkload::begin_epoch(Dim epoch) {
  epoch_ = epoch;
  batches_.emplace(rows_, config_, epoch);
  return batches_->size();
}

std::vector<double> CorpusWorkload::counts(Dim batch) {
  return {static_cast<double>(examples_of(batch).size())};
}

std::string CorpusWorkload::describe(Dim batch) {
  return concat(train_.lines(examples_of(batch)), " of ", source_);
}

Batches CorpusWorkload::dev_batches() const {
  return Batches::unshuffled(dev_rows_, {.rows = config_.rows});
}

}  // namespace fovea
