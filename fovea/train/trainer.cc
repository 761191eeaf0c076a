#include "fovea/train/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include "fovea/base/progress.h"
#include "fovea/train/clip.h"
#include "fovea/train/run_store.h"
#include "fovea/train/step_gradient.h"
#include "fovea/train/stop_signals.h"

namespace fovea {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void check(const TrainConfig& c) {
  check(c.schedule);
  FOVEA_CHECK(c.steps > 0 || c.epochs > 0 || c.minutes > 0 || c.patience > 0,
              "train: nothing would end the run; give steps, epochs, minutes or patience");
  const bool to_an_end =
      c.schedule.kind == ScheduleKind::cosine || c.schedule.kind == ScheduleKind::linear;
  FOVEA_CHECK(!to_an_end || c.steps > 0 || c.epochs > 0 || c.minutes > 0,
              "train.schedule.kind: this one falls towards the end of the run; give steps, epochs "
              "or minutes");
  FOVEA_CHECK(c.accumulate > 0, "train.accumulate: expected at least 1, found ", c.accumulate);
  FOVEA_CHECK(c.log_every > 0, "train.log_every: expected at least 1, found ", c.log_every);
  FOVEA_CHECK(c.clip >= 0, "train.clip: expected a norm, found ", c.clip);
}

Run make_run(Params& params, const TrainConfig& c) {
  Run run{&params,
          AnyOptimizer(params, {c.optimizer, c.beta1, c.beta2, c.eps, c.weight_decay}),
          {},
          {}};
  if (c.average != 0) run.average.emplace(params, c.average);
  return run;
}

/// While one lives, the parameters are the averages.
class Averaged {
 public:
  explicit Averaged(std::optional<WeightAverage>& average) : average_(average) {
    if (average_) average_->swap();
  }
  ~Averaged() {
    if (average_) average_->swap();
  }
  Averaged(const Averaged&) = delete;
  Averaged& operator=(const Averaged&) = delete;

 private:
  std::optional<WeightAverage>& average_;
};

/// While one lives, the parameters may be anything; then they are what they were.
class Parked {
 public:
  explicit Parked(Params& params) : params_(params) {
    for (const auto& [name, tensor] : weights_of(params)) weights_[name] = tensor.clone();
  }
  ~Parked() {
    load_weights(params_, [this](const std::string& name) { return weights_.at(name); });
  }
  Parked(const Parked&) = delete;
  Parked& operator=(const Parked&) = delete;

 private:
  Params& params_;
  std::map<std::string, Tensor> weights_;
};

class Trainer {
 public:
  Trainer(Workload& work, const TrainConfig& config, const TrainOptions& options);
  TrainResult run();

 private:
  void begin_epoch();
  void take_step();
  void update(const StepGradient& step, BatchRange batches, const Rng& before);
  void advance(Dim next_batch);
  void log_step(const StepGradient& step);
  void validate();
  bool note(const std::vector<Figure>& figures);
  const Figure& watched(const std::vector<Figure>& figures) const;
  bool is_better(const Figure& figure) const;
  void say(const char* what, const std::vector<Figure>& figures, bool better);
  bool try_mean_of_checkpoints();
  void save();
  void try_save();

  bool finished() const;
  Moment moment() const;
  double part_done() const;
  void restart_speed() { speed_count_ = 0, speed_begin_ = now(); }
  double seconds() const { return state_.seconds + now() - begin_; }

  Workload& work_;
  const TrainConfig config_;
  Progress progress_;
  RunStore store_;
  Run run_;
  TrainState& state_ = run_.state;
  std::optional<RunLog> log_;
  Rng rng_;
  Dim batches_ = 0;       // of this epoch
  double begin_ = now();  // of this process; state_.seconds went by before
  double last_save_ = now();
  double speed_begin_ = now(), speed_count_ = 0;
  double rate_ = 0, norm_ = 0;
};

Trainer::Trainer(Workload& work, const TrainConfig& config, const TrainOptions& options)
    : work_(work),
      config_(config),
      progress_({.quiet = options.quiet}),
      store_(config, options, [this](const std::string& line) { progress_.warn(line); }),
      run_(make_run(work.params(), config)) {
  const std::size_t parts = work_.parts().size();
  FOVEA_CHECK(parts > 0, "train: the task has no loss");
  state_.sums.assign(parts, 0.0);
  state_.counts.assign(parts, 0.0);
  if (options.resume && store_.load(run_)) {
    progress_.say(concat("resumed at step ", state_.step, ", epoch ", state_.epoch));
  }
  FOVEA_CHECK(state_.sums.size() == parts, "train: the checkpoint has ", state_.sums.size(),
              " losses, the task ", parts);
  rng_ = {config_.seed, state_.rng_site};
  log_.emplace(store_.folder(), state_.log);
  work_.save_rest(store_.folder().path().string());
}

TrainResult Trainer::run() {
  const StopSignals signals;
  for (;;) {
    if (state_.validation_due) {
      validate();
      try_save();
      restart_speed();
    }
    if (finished() || signals.received()) break;
    take_step();
    const bool time = now() - last_save_ >= 60 * config_.checkpoint_every;
    if (time && !state_.validation_due) try_save();  // else there is one after the validation
    if (signals.received()) break;
  }
  if (!signals.received()) {
    const bool validated =
        !state_.validations.empty() && state_.validations.back().step == state_.step;
    if (!validated) validate();
  }
  save();
  if (!signals.received() && config_.average_checkpoints > 0 && try_mean_of_checkpoints()) save();
  TrainResult result{.steps = state_.step,
                     .epochs = state_.epoch,
                     .stopped = signals.received() != 0,
                     .signal = signals.received(),
                     .best_step = state_.best.step};
  if (state_.has_best) {
    result.best = Figure{config_.watch, state_.best.value, state_.higher_is_better};
  }
  return result;
}

void Trainer::begin_epoch() {
  batches_ = work_.begin_epoch(state_.epoch);
  FOVEA_CHECK(batches_ > 0, "train: epoch ", state_.epoch, " has no batch");
  if (state_.epoch_batches == 0) state_.epoch_batches = batches_;
}

void Trainer::take_step() {
  if (batches_ == 0) begin_epoch();
  const BatchRange batches{state_.batch, std::min(state_.batch + config_.accumulate, batches_)};
  const Rng before = rng_;
  const StepGradient step = step_gradient(work_, batches, rng_);
  update(step, batches, before);
  advance(batches.end);
  log_step(step);
}

void Trainer::update(const StepGradient& step, BatchRange batches, const Rng& before) {
  Gradients gradients = step.gradients;
  norm_ = config_.clip > 0 ? clip_norm(gradients, work_.params(), config_.clip)
                           : global_norm(gradients, work_.params());
  if (!step.finite() || !std::isfinite(norm_)) {
    fail("train: not finite at step ", state_.step + 1, ", epoch ", state_.epoch, ", ",
         explain_not_finite(work_, batches, before), ". Nothing was changed; ", store_.newest(),
         ". What may help: a lower rate (schedule.rate is ", config_.schedule.rate,
         "), a longer warmup, clipped gradients (clip is ", config_.clip, ")");
  }
  rate_ = learning_rate(config_.schedule, moment(), state_.plateau);
  run_.optimizer.step(gradients, rate_);
  ++state_.step;
  if (run_.average) run_.average->update(state_.step);
}

void Trainer::advance(Dim next_batch) {
  state_.batch = next_batch;
  const bool epoch_over = next_batch == batches_;
  if (epoch_over) {
    ++state_.epoch;
    state_.batch = batches_ = 0;
  }
  state_.validation_due =
      config_.validate_every > 0 ? state_.step % config_.validate_every == 0 : epoch_over;
}

void Trainer::log_step(const StepGradient& step) {
  const std::vector<LossPart> parts = work_.parts();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    state_.sums[i] += step.sums[i];
    state_.counts[i] += step.counts[i];
  }
  speed_count_ += step.counts[0];
  const double speed = speed_count_ / std::max(now() - speed_begin_, 1e-9);
  if (progress_.due()) {
    progress_.show(part_done(), concat("step ", state_.step, "  epoch ", state_.epoch, "  ",
                                       parts[0].name, " ", state_.sums[0] / state_.counts[0], "  ",
                                       show_count(speed), "/s  rate ", rate_));
  }
  if (state_.step % config_.log_every != 0) return;
  TrainLine line{state_.step, state_.epoch, {}, rate_, norm_, speed, seconds()};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (state_.counts[i] > 0) {
      line.losses.push_back({parts[i].name, state_.sums[i] / state_.counts[i]});
    }
    state_.sums[i] = state_.counts[i] = 0;
  }
  log_->write(line);
  restart_speed();
}

void Trainer::validate() {
  const Averaged averaged(run_.average);
  const std::vector<Figure> figures = work_.validate();
  state_.validation_due = false;
  const bool better = note(figures);
  if (better) store_.keep_model(run_);
  if (!figures.empty()) {
    log_->write(ValidationLine{state_.step, state_.epoch, figures, better, seconds()});
    say("validation", figures, better);
  }
}

void Trainer::say(const char* what, const std::vector<Figure>& figures, bool better) {
  std::string line = concat(what, " at step ", state_.step, ":");
  for (const Figure& figure : figures) line += concat("  ", figure.name, " ", figure.value);
  progress_.say(line + (better ? "  (the best so far)" : ""));
}

const Figure& Trainer::watched(const std::vector<Figure>& figures) const {
  std::string names;
  for (const Figure& figure : figures) {
    if (figure.name == config_.watch) return figure;
    names += " " + figure.name;
  }
  fail("train.watch: there is no figure '", config_.watch, "'; there are:", names);
}

bool Trainer::is_better(const Figure& figure) const {
  if (!std::isfinite(figure.value)) return false;
  if (!state_.has_best) return true;
  const double best = state_.best.value;
  return figure.higher_is_better ? figure.value > best : figure.value < best;
}

/// Whether the watched figure is better than ever before.
bool Trainer::note(const std::vector<Figure>& figures) {
  TrainState& s = state_;
  if (figures.empty()) {
    s.validations.push_back({s.step, 0});
    return false;
  }
  const Figure& figure = watched(figures);
  const bool better = is_better(figure);
  s.higher_is_better = figure.higher_is_better;
  if (std::isfinite(figure.value)) s.validations.push_back({s.step, figure.value});
  if (better) s.best = {s.step, figure.value};
  s.has_best = s.has_best || better;
  s.waited = better ? 0 : s.waited + 1;
  s.plateau.see(better, config_.schedule);
  return better;
}

/// The mean of the best checkpoints is the model if it is better than each of them. True if there
/// is a new best figure to remember.
bool Trainer::try_mean_of_checkpoints() {
  const Parked last(work_.params());
  if (!store_.load_mean_of_best(run_)) return false;
  const std::vector<Figure> figures = work_.validate();
  const bool better = figures.empty() || is_better(watched(figures));
  if (!figures.empty()) say("mean of checkpoints", figures, better);
  if (!better) return false;
  store_.keep_model(run_);
  store_.save_model();
  if (figures.empty()) return false;
  state_.best = {state_.step, watched(figures).value};
  state_.has_best = true;
  return true;
}

void Trainer::save() {
  TrainState& s = state_;
  if (!s.has_best) {  // until there is a best model, it is the latest
    const Averaged averaged(run_.average);
    store_.keep_model(run_);
  }
  s.rng_site = rng_.next_site;
  s.seconds = seconds();
  begin_ = last_save_ = now();
  s.log = log_->sizes();
  store_.save(run_);
}

/// A full disk is no reason to lose the run: the next try may succeed, and the last one counts.
void Trainer::try_save() {
  try {
    save();
  } catch (const Error& error) {
    progress_.warn(concat("warning: ", error.what(), "; going on, ", store_.newest()));
  }
}

bool Trainer::finished() const {
  return (config_.steps > 0 && state_.step >= config_.steps) ||
         (config_.epochs > 0 && state_.epoch >= config_.epochs) ||
         (config_.minutes > 0 && seconds() >= 60 * config_.minutes) ||
         (config_.patience > 0 && state_.waited >= config_.patience);
}

Moment Trainer::moment() const {
  const Dim epoch_steps = (state_.epoch_batches + config_.accumulate - 1) / config_.accumulate;
  Dim total = config_.steps;
  if (config_.epochs > 0) {
    const Dim of_epochs = config_.epochs * epoch_steps;
    total = total > 0 ? std::min(total, of_epochs) : of_epochs;
  }
  const double time = config_.minutes > 0 ? seconds() / (60 * config_.minutes) : 0;
  return {.step = state_.step + 1, .total = total, .time_part = time};
}

/// Of the run, or -1 if only patience will end it.
double Trainer::part_done() const {
  const Moment at = moment();
  if (at.total == 0 && config_.minutes == 0) return -1;
  const double of_steps =
      at.total > 0 ? static_cast<double>(state_.step) / static_cast<double>(at.total) : 0;
  return std::max(of_steps, at.time_part);
}

}  // namespace

TrainResult train(Workload& work, const TrainConfig& config, const TrainOptions& options) {
  check(config);
  return Trainer(work, config, options).run();
}

}  // namespace fovea
