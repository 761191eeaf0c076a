/// Where a run stands: all of a checkpoint that is not tensors.
#pragma once

#include <string>
#include <vector>

#include "fovea/train/run_log.h"
#include "fovea/train/schedule.h"

namespace fovea {

/// The watched figure, or 0 where there is no validation set.
struct Validation {
  Dim step = 0;
  double value = 0;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("step", step);
    visit("value", value);
  }
};

struct TrainState {
  Dim step = 0;              // steps taken
  Dim epoch = 0, batch = 0;  // the batch that is next
  Dim epoch_batches = 0;     // of the first epoch: tells how many steps all epochs will have
  std::uint64_t rng_site = 0;
  double seconds = 0;
  bool validation_due = false;
  std::string watch;  // whose values these are
  std::vector<Validation> validations;
  bool has_best = false;
  Validation best;
  bool higher_is_better = false;
  Dim waited = 0;  // validations since the best
  PlateauState plateau;
  std::vector<double> sums, counts;  // of each loss since the last line of the log
  LogSizes log;

  /// Than the best so far. What is not finite is not better than anything.
  bool is_better(const Figure& figure) const;
  /// From now on this figure tells which model is best: values of another do not compare with it.
  void watch_figure(const std::string& name);
  /// After a validation: true if the watched figure is better than ever before.
  bool note(const std::vector<Figure>& figures, const ScheduleConfig& schedule);

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("step", step);
    visit("epoch", epoch);
    visit("batch", batch);
    visit("epoch_batches", epoch_batches);
    visit("rng_site", rng_site);
    visit("seconds", seconds);
    visit("validation_due", validation_due);
    visit("watch", watch);
    visit("validations", validations);
    visit("has_best", has_best);
    visit("best", best);
    visit("higher_is_better", higher_is_better);
    visit("waited", waited);
    visit("plateau", plateau);
    visit("sums", sums);
    visit("counts", counts);
    visit("log", log);
  }
};

/// The figure of that name, or an Error that names those there are.
const Figure& find_figure(const std::vector<Figure>& figures, const std::string& name);
/// An Error if it is not among them.
void expect_figure(const std::vector<std::string>& names, const std::string& name);

}  // namespace fovea
