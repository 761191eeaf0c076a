#include "fovea/train/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

#include "fovea/base/progress.h"
#include "fovea/train/clip.h"
#include "fovea/train/limits.h"
#include "fovea/train/run_curve.h"
#include "fovea/train/run_store.h"
#include "fovea/train/step_gradient.h"

namespace fovea {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// All parameters by all losses, as the recipe says.
Phase whole_of(const Workload& work, const TrainConfig& c) {
  return {.parts = work.parts(),
          .optimizer = {c.optimizer, c.beta1, c.beta2, c.eps, c.weight_decay},
          .schedule = c.schedule,
          .clip = c.clip,
          .average = c.average};
}

Run make_run(Workload& work, const TrainConfig& config) {
  Params& params = work.params();
  Run run{&params, {}, {}};
  const std::vector<Phase> phases = work.phases(whole_of(work, config));
  check(phases);
  std::set<std::string> averaged;
  for (const Phase& phase : phases) {
    PhaseRun& one = run.phases.emplace_back(
        PhaseRun{phase, params_of(params, phase), PhaseOptimizer(params, phase), {}});
    if (phase.average == 0) continue;
    one.average.emplace(one.params, phase.average);
    for (const Parameter& p : one.params.all()) {
      FOVEA_CHECK(averaged.insert(p.name).second, "train: phase '", phase.name, "': ", p.name,
                  " has an average in another phase; let one of them average it");
    }
  }
  return run;
}

/// "learning_rate" of the first phase, "learning_rate.generator" of a later one.
std::string name_in(const char* what, const Run& run, std::size_t phase) {
  return phase == 0 ? what : concat(what, ".", run.phases[phase].phase.name);
}

/// While one lives, the parameters are the model as it is used: the averages, calibrated.
class ModelInUse {
 public:
  ModelInUse(Workload& work, Run& run)
      : averages_(run.averages()), buffers_(*run.params, Parked::Which::buffers) {
    work.calibrate();
  }

 private:
  const Averaged averages_;
  const Parked buffers_;
};

/// With what only the model tells.
TrainConfig completed(TrainConfig config, const Workload& work) {
  Dim& width = config.schedule.width;
  if (width == 0) width = work.model_width();
  FOVEA_CHECK(config.schedule.kind != ScheduleKind::noam || width > 0,
              "train.schedule.width: noam needs the width of the model, which this task does not ",
              "know; give it");
  return config;
}

class Trainer {
 public:
  Trainer(Workload& work, const TrainConfig& config, const TrainOptions& options);
  TrainResult run();

 private:
  void begin_epoch();
  void take_step();
  void update(const UpdateIndex& index, BatchRange batches);
  void count(std::size_t phase, const StepGradient& step);
  void advance(Dim next_batch);
  void log_step();
  void validate();
  void show();
  template <class Line>
  void write(const Line& line);
  void say(const char* what, const std::vector<Figure>& figures, bool better);
  bool try_mean_of_checkpoints();
  void save();
  void try_save();
  void try_draw();

  void restart_speed() { speed_count_ = 0, speed_begin_ = now(); }
  double seconds() const { return state_.seconds + now() - begin_; }

  Workload& work_;
  const TrainConfig config_;
  Progress progress_;
  RunStore store_;
  Run run_;
  TrainState& state_ = run_.state;
  std::optional<RunLog> log_;
  const std::function<void(const std::string& line)> watcher_;
  const std::function<bool()> stop_;
  std::vector<LossPart> parts_;  // of all phases
  Rng rng_;
  Dim batches_ = 0;       // of this epoch
  double begin_ = now();  // of this process; state_.seconds went by before
  double last_save_ = now();
  double speed_begin_ = now(), speed_count_ = 0;
  std::vector<double> rates_, norms_;  // of the last update of each phase
  bool rest_saved_ = false;  // with the first checkpoint: a run that fails before changes nothing
  bool log_failed_ = false, show_failed_ = false;
};

Trainer::Trainer(Workload& work, const TrainConfig& config, const TrainOptions& options)
    : work_(work),
      config_(completed(config, work)),
      progress_({.quiet = options.quiet}),
      store_(config, options, [this](const std::string& line) { progress_.warn(line); }),
      run_(make_run(work, config_)),
      watcher_(options.watcher),
      stop_(options.stop ? options.stop : [] { return false; }) {
  for (const PhaseRun& one : run_.phases) {
    parts_.insert(parts_.end(), one.phase.parts.begin(), one.phase.parts.end());
  }
  const std::size_t parts = parts_.size();
  rates_.resize(run_.phases.size());
  norms_.resize(run_.phases.size());
  state_.sums.assign(parts, 0.0);
  state_.counts.assign(parts, 0.0);
  if (options.resume && store_.load(run_)) {
    progress_.say(concat("resumed at step ", state_.step, ", epoch ", state_.epoch));
  }
  FOVEA_CHECK(state_.sums.size() == parts, ErrorKind::bad_file, "train: the checkpoint has ",
              state_.sums.size(), " losses, the task ", parts);
  if (config_.products == kernels::Products::bfloat16 && !kernels::can_multiply_bfloat16()) {
    progress_.warn(
        "note: this CPU does not multiply bfloat16 (AVX512_BF16): products are of float32");
  }
  const std::vector<std::string> figures = work_.figure_names();
  if (!figures.empty()) expect_figure(figures, config_.watch);
  state_.watch_figure(config_.watch);
  rng_ = {config_.seed, state_.rng_site};
  log_.emplace(store_.folder(), state_.log, watcher_);
}

TrainResult Trainer::run() {
  show();
  for (;;) {
    if (state_.validation_due) {
      validate();
      try_save();
      restart_speed();
    }
    if (finished(config_, state_, seconds()) || stop_()) break;
    take_step();
    const bool time = now() - last_save_ >= 60 * config_.checkpoint_every;
    if (time && !state_.validation_due) try_save();  // else there is one after the validation
    if (stop_()) break;
  }
  if (!stop_()) {
    const bool validated =
        !state_.validations.empty() && state_.validations.back().step == state_.step;
    if (!validated) validate();
  }
  save();
  if (!stop_() && config_.average_checkpoints > 0 && try_mean_of_checkpoints()) save();
  try_draw();
  TrainResult result{.steps = state_.step,
                     .epochs = state_.epoch,
                     .stopped = stop_(),
                     .best_step = state_.best.step};
  if (state_.has_best) {
    result.best = Figure{config_.watch, state_.best.value, state_.higher_is_better};
  }
  return result;
}

void Trainer::begin_epoch() {
  batches_ = work_.begin_epoch(state_.epoch);
  FOVEA_CHECK(batches_ > 0, "train: epoch ", state_.epoch, " has no batch");
  FOVEA_CHECK(state_.batch < batches_, "train: the checkpoint is at batch ", state_.batch,
              " of epoch ", state_.epoch, ", which now has ", batches_, "; the data has changed");
  if (state_.epoch_batches == 0) state_.epoch_batches = batches_;
}

void Trainer::take_step() {
  if (batches_ == 0) begin_epoch();
  const BatchRange batches{state_.batch, std::min(state_.batch + config_.accumulate, batches_)};
  const kernels::ProductsOf products(config_.products);
  for (Dim phase = 0; phase < std::ssize(run_.phases); ++phase) {
    const Dim repeat = run_.phases[static_cast<std::size_t>(phase)].phase.repeat;
    for (Dim r = 0; r < repeat; ++r) update({state_.step, phase, r}, batches);
  }
  ++state_.step;
  for (WeightAverage* average : run_.averages()) average->update(state_.step);
  advance(batches.end);
  log_step();
}

void Trainer::update(const UpdateIndex& index, BatchRange batches) {
  const auto number = static_cast<std::size_t>(index.phase);
  PhaseRun& one = run_.phases[number];
  const Phase& phase = one.phase;
  work_.begin_update(index);
  const Rng before = rng_;
  StepGradient step = step_gradient(work_, phase.parts, batches, rng_);
  Gradients& gradients = step.gradients;
  const double norm = phase.clip > 0 ? clip_norm(gradients, one.params, phase.clip)
                                     : global_norm(gradients, one.params);
  if (!step.finite() || !std::isfinite(norm)) {
    fail("train: not finite at step ", state_.step + 1, ", epoch ", state_.epoch, ", ",
         phase.name.empty() ? "" : concat("phase ", phase.name, ", "),
         explain_not_finite(work_, phase.parts, batches, before), ". The update was not made; ",
         store_.newest(), ". What may help: a lower rate (schedule.rate is ", phase.schedule.rate,
         "), a longer warmup, clipped gradients (clip is ", phase.clip, ")");
  }
  norms_[number] = norm;
  rates_[number] =
      learning_rate(phase.schedule, moment_of(config_, state_, seconds()), state_.plateau);
  one.optimizer.step(gradients, rates_[number]);
  count(number, step);
}

/// For the next line of the log.
void Trainer::count(std::size_t phase, const StepGradient& step) {
  std::size_t at = 0;  // of the phase's first part
  for (std::size_t p = 0; p < phase; ++p) at += run_.phases[p].phase.parts.size();
  for (std::size_t i = 0; i < step.sums.size(); ++i) {
    state_.sums[at + i] += step.sums[i];
    state_.counts[at + i] += step.counts[i];
  }
  if (phase == 0) speed_count_ += step.counts[0];
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

void Trainer::log_step() {
  const double speed = speed_count_ / std::max(now() - speed_begin_, 1e-9);
  if (progress_.due()) {
    progress_.show(
        part_done(config_, state_, seconds()),
        concat("step ", state_.step, "  epoch ", state_.epoch, "  ", parts_[0].name, " ",
               state_.sums[0] / state_.counts[0], "  ", show_count(speed), "/s  rate ", rates_[0]));
  }
  if (state_.step % config_.log_every != 0) return;
  TrainLine line{state_.step, state_.epoch, {}, {}, speed, seconds()};
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (state_.counts[i] > 0) {
      line.losses.push_back({parts_[i].name, state_.sums[i] / state_.counts[i]});
    }
    state_.sums[i] = state_.counts[i] = 0;
  }
  for (std::size_t p = 0; p < run_.phases.size(); ++p) {
    line.updates.push_back({name_in("learning_rate", run_, p), rates_[p]});
    line.updates.push_back({name_in("gradient_norm", run_, p), norms_[p]});
  }
  write(line);
  restart_speed();
}

void Trainer::validate() {
  const ModelInUse model(work_, run_);
  const std::vector<Figure> figures = work_.validate();
  check_patience(config_, !figures.empty());
  state_.validation_due = false;
  const bool better = state_.note(figures, config_.schedule);
  if (better) store_.keep_model(run_);
  if (!figures.empty()) {
    write(ValidationLine{state_.step, state_.epoch, figures, better, seconds()});
    say("validation", figures, better);
  }
  show();
}

/// What cannot be shown (a model without attention) is no reason to lose the run.
void Trainer::show() {
  if (!watcher_ || show_failed_) return;
  try {
    for (const std::string& line : work_.show(state_.step)) watcher_(line);
  } catch (const Error& error) {
    show_failed_ = true;
    progress_.warn(concat("warning: nothing to watch but figures: ", error.what()));
  }
}

template <class Line>
void Trainer::write(const Line& line) {
  if (log_->write(line) || log_failed_) return;
  log_failed_ = true;
  progress_.warn(concat("warning: ", store_.folder().metrics().string(),
                        ": cannot be written; going on without some of its lines"));
}

void Trainer::say(const char* what, const std::vector<Figure>& figures, bool better) {
  std::string line = concat(what, " at step ", state_.step, ":");
  for (const Figure& figure : figures) line += concat("  ", figure.name, " ", figure.value);
  progress_.say(line + (better ? "  (the best so far)" : ""));
}

/// The mean of the best checkpoints is the model if it is better than each of them. True if there
/// is a new best figure to remember.
bool Trainer::try_mean_of_checkpoints() {
  const Parked last(work_.params());
  if (!store_.load_mean_of_best(run_)) return false;
  work_.calibrate();
  const std::vector<Figure> figures = work_.validate();
  const bool better = figures.empty() || state_.is_better(find_figure(figures, config_.watch));
  if (!figures.empty()) say("mean of checkpoints", figures, better);
  if (!better) return false;
  store_.keep_model(run_);
  store_.save_model();
  if (figures.empty()) return false;
  state_.best = {state_.step, find_figure(figures, config_.watch).value};
  state_.has_best = true;
  return true;
}

void Trainer::save() {
  TrainState& s = state_;
  if (!s.has_best) {  // until there is a best model, it is the latest
    const ModelInUse model(work_, run_);
    store_.keep_model(run_);
  }
  s.rng_site = rng_.next_site;
  s.seconds = seconds();
  begin_ = last_save_ = now();
  s.log = log_->sizes();
  if (!rest_saved_) store_.folder().add_files(work_.save_rest(store_.folder().path().string()));
  rest_saved_ = true;
  store_.save(run_);
}

/// A full disk is no reason to lose the run: the next try may succeed, and the last one counts.
void Trainer::try_save() {
  try {
    save();
  } catch (const std::exception& error) {
    progress_.warn(concat("warning: ", error.what(), "; going on, ", store_.newest()));
  }
}

void Trainer::try_draw() {
  try {
    draw_run(store_.folder(), config_.watch);
  } catch (const std::exception& error) {
    progress_.warn(concat("warning: ", error.what()));
  }
}

}  // namespace

TrainResult train(Workload& work, const TrainConfig& config, const TrainOptions& options) {
  check(config);
  return Trainer(work, config, options).run();
}

}  // namespace fovea
