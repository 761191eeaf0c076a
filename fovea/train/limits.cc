#include "fovea/train/limits.h"

#include <algorithm>
#include <utility>

#include "fovea/base/table_check.h"

namespace fovea {

void check(const TrainConfig& c) {
  check(c.schedule);
  const std::pair<const char*, double> counts[] = {
      {"steps", static_cast<double>(c.steps)},
      {"epochs", static_cast<double>(c.epochs)},
      {"minutes", c.minutes},
      {"patience", static_cast<double>(c.patience)},
      {"validate_every", static_cast<double>(c.validate_every)},
      {"average_checkpoints", static_cast<double>(c.average_checkpoints)},
      {"checkpoint_every", c.checkpoint_every}};
  for (const auto& [name, count] : counts) {
    FOVEA_CHECK(count >= 0, ErrorKind::bad_setting, "train.", name, ": expected at least 0, found ",
                count);
  }
  FOVEA_CHECK(c.average >= 0 && c.average < 1, ErrorKind::bad_setting,
              "train.average: expected a decay from 0 (none) to below 1, found ", c.average);
  FOVEA_CHECK(c.steps > 0 || c.epochs > 0 || c.minutes > 0 || c.patience > 0,
              ErrorKind::bad_setting,
              "train: nothing would end the run; give steps, epochs, minutes or patience");
  const bool to_an_end =
      c.schedule.kind == ScheduleKind::cosine || c.schedule.kind == ScheduleKind::linear;
  FOVEA_CHECK(!to_an_end || c.steps > 0 || c.epochs > 0 || c.minutes > 0, ErrorKind::bad_setting,
              "train.schedule.kind: this one falls towards the end of the run; give steps, epochs "
              "or minutes");
  FOVEA_CHECK(c.accumulate > 0, ErrorKind::bad_setting,
              "train.accumulate: expected at least 1, found ", c.accumulate);
  FOVEA_CHECK(c.log_every > 0, ErrorKind::bad_setting,
              "train.log_every: expected at least 1, found ", c.log_every);
  FOVEA_CHECK(c.products != kernels::Products::int8, ErrorKind::bad_setting,
              "train.products: int8 is for models that are only run (--int8); expected float32 or "
              "bfloat16");
  FOVEA_CHECK(c.clip >= 0, ErrorKind::bad_setting, "train.clip: expected a norm, found ", c.clip);
  const TableCheck train("train");
  train.shares({{"beta1", c.beta1}, {"beta2", c.beta2}});
  train.not_negative("eps", c.eps);
  train.not_negative("weight_decay", c.weight_decay);
}

void check_patience(const TrainConfig& c, bool validates) {
  FOVEA_CHECK(validates || c.steps > 0 || c.epochs > 0 || c.minutes > 0 || c.patience == 0,
              ErrorKind::bad_setting,
              "train: only train.patience would end the run, and there is no validation set to be ",
              "patient with; give train.steps, epochs or minutes, or a share as data.split.dev");
}

bool finished(const TrainConfig& config, const TrainState& state, double seconds) {
  return (config.steps > 0 && state.step >= config.steps) ||
         (config.epochs > 0 && state.epoch >= config.epochs) ||
         (config.minutes > 0 && seconds >= 60 * config.minutes) ||
         (config.patience > 0 && state.waited >= config.patience);
}

Moment moment_of(const TrainConfig& config, const TrainState& state, double seconds) {
  Dim total = config.steps;
  if (config.epochs > 0) {
    const Dim in_epoch = (state.epoch_batches + config.accumulate - 1) / config.accumulate;
    const Dim in_epochs = config.epochs * in_epoch;
    total = total > 0 ? std::min(total, in_epochs) : in_epochs;
  }
  const double part = config.minutes > 0 ? seconds / (60 * config.minutes) : 0;
  return {.step = state.step + 1, .total = total, .time_part = part};
}

double part_done(const TrainConfig& config, const TrainState& state, double seconds) {
  const Moment at = moment_of(config, state, seconds);
  if (at.total == 0 && config.minutes == 0) return -1;
  const double of_steps =
      at.total > 0 ? static_cast<double>(state.step) / static_cast<double>(at.total) : 0;
  return std::max(of_steps, at.time_part);
}

}  // namespace fovea
