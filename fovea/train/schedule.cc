#include "fovea/train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fovea/base/check.h"

namespace fovea {
namespace {

/// p: the part of the run after the warmup that is done, by steps or by time: whichever will end it
/// first.
double part_done(const ScheduleConfig& config, const Moment& moment) {
  double by_steps = 0;
  if (moment.total > config.warmup) {
    by_steps = static_cast<double>(moment.step - config.warmup) /
               static_cast<double>(moment.total - config.warmup);
  }
  return std::clamp(std::max(by_steps, moment.time_part), 0.0, 1.0);
}

}  // namespace

void PlateauState::see(bool better, const ScheduleConfig& config) {
  waited = better ? 0 : waited + 1;
  if (waited < config.plateau_patience) return;
  waited = 0;
  factor *= config.plateau_factor;
}

double learning_rate(const ScheduleConfig& config, const Moment& moment,
                     const PlateauState& plateau) {
  const auto n = static_cast<double>(moment.step);
  const auto w = static_cast<double>(std::max(config.warmup, Dim{1}));
  if (config.kind == ScheduleKind::noam) {
    return config.noam_factor * std::pow(static_cast<double>(config.width), -0.5) *
           std::min(std::pow(n, -0.5), n * std::pow(w, -1.5));
  }
  const double warmth = std::min(n / w, 1.0);
  const double p = part_done(config, moment);
  const double fall = config.rate - config.lowest;
  switch (config.kind) {
    case ScheduleKind::inverse_sqrt:
      return config.rate * std::min(n / w, std::sqrt(w / n));
    case ScheduleKind::cosine:
      return warmth * (config.lowest + fall * (1 + std::cos(std::numbers::pi * p)) / 2);
    case ScheduleKind::linear:
      return warmth * (config.rate - fall * p);
    case ScheduleKind::plateau:
      return warmth * config.rate * plateau.factor;
    default:
      return warmth * config.rate;
  }
}

void check(const ScheduleConfig& config) {
  FOVEA_CHECK(config.warmup >= 0, ErrorKind::bad_setting, "schedule.warmup: expected steps, found ",
              config.warmup);
  FOVEA_CHECK(config.rate > 0, ErrorKind::bad_setting,
              "schedule.rate: expected a rate above 0, found ", config.rate);
  FOVEA_CHECK(config.width >= 0, ErrorKind::bad_setting,
              "schedule.width: expected the width of the model, or 0 to take it from there, found ",
              config.width);
  FOVEA_CHECK(config.kind != ScheduleKind::plateau || config.plateau_patience > 0,
              ErrorKind::bad_setting, "schedule.plateau_patience: expected at least 1, found ",
              config.plateau_patience);
}

}  // namespace fovea
