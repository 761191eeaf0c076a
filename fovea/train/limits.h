/// Where a run ends, and how far it is.
#pragma once

#include "fovea/train/train_state.h"
#include "fovea/train/trainer.h"

namespace fovea {

/// An Error that says what to give, if the settings cannot make a run.
void check(const TrainConfig& config);
/// The same, if only patience would end the run and nothing is validated.
void check_patience(const TrainConfig& config, bool validates);

/// `seconds` is how long the run has gone on.
bool finished(const TrainConfig& config, const TrainState& state, double seconds);
/// Of the next step, for the schedule.
Moment moment_of(const TrainConfig& config, const TrainState& state, double seconds);
/// Of the run, in [0, 1], or -1 if only patience will end it.
double part_done(const TrainConfig& config, const TrainState& state, double seconds);

}  // namespace fovea
