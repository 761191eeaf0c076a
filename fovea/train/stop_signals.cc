#include "fovea/train/stop_signals.h"

#include <unistd.h>

namespace fovea {
namespace {

volatile std::sig_atomic_t received_signal = 0;

void note(int signal) {
  const bool stopping = received_signal == SIGINT || received_signal == SIGTERM;
  if (stopping && signal != SIGUSR1) ::_exit(128 + signal);
  if (!stopping) received_signal = signal;
}

}  // namespace

StopSignals::StopSignals() {
  received_signal = 0;
  struct sigaction action = {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, &action, &interrupt_);
  ::sigaction(SIGTERM, &action, &terminate_);
  ::sigaction(SIGUSR1, &action, &user_);
}

StopSignals::~StopSignals() {
  ::sigaction(SIGINT, &interrupt_, nullptr);
  ::sigaction(SIGTERM, &terminate_, nullptr);
  ::sigaction(SIGUSR1, &user_, nullptr);
}

int StopSignals::received() const { return received_signal; }

}  // namespace fovea
