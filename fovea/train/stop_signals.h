/// Ctrl-C and SIGTERM ask a run to stop in good order; a second one ends the process at once.
#pragma once

#include <csignal>

namespace fovea {

/// While one lives, the two signals are noted. Afterwards they do what they did before. One at a
/// time in a process.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// The signal that came, or 0.
  int received() const;

 private:
  struct sigaction interrupt_ = {}, terminate_ = {};
};

}  // namespace fovea
