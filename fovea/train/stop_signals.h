/// Signals that ask a run to save and stop: Ctrl-C and SIGTERM, a second of which ends the process
/// at once, and SIGUSR1, which batch systems send before a job's time is over (Slurm:
/// --signal=USR1@120; mpirun forwards it). After SIGUSR1 the run still has time to save: it does
/// not count as the first of two.
#pragma once

#include <csignal>

namespace fovea {

/// While one lives, these signals are noted. Afterwards they do what they did before. One at a time
/// in a process.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// The signal that came, or 0.
  int received() const;

 private:
  struct sigaction interrupt_ = {}, terminate_ = {}, user_ = {};
};

}  // namespace fovea
