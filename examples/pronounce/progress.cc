#include "pronounce/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace pronounce {

Progress::Progress(double seconds, std::int64_t steps)
    : seconds_(seconds), steps_(steps), terminal_(isatty(STDOUT_FILENO) == 1) {}

double Progress::elapsed() const {
  return std::chrono::duration<double>(Clock::now() - begin_).count();
}

double Progress::part() const {
  const double part =
      steps_ > 0 ? static_cast<double>(step_) / static_cast<double>(steps_) : elapsed() / seconds_;
  return std::min(part, 1.0);
}

void Progress::count(double loss, std::int64_t sounds) {
  ++step_;
  ++counted_;
  loss_ += loss;
  total_ += sounds;
  if (elapsed() - shown_ > (terminal_ ? 0.5 : 10)) show();
}

void Progress::show() {
  shown_ = elapsed();
  const int width = 24;
  const int done = static_cast<int>(part() * width);
  const std::string bar = std::string(static_cast<std::size_t>(done), '#') +
                          std::string(static_cast<std::size_t>(width - done), '-');
  const int left = static_cast<int>(part() > 0 ? shown_ * (1 / part() - 1) + 0.5 : 0);
  std::printf("%s  [%s] step %lld  loss %.3f  %.0f sounds/s  %d:%02d left%s", terminal_ ? "\r" : "",
              bar.c_str(), static_cast<long long>(step_),
              loss_ / static_cast<double>(std::max<std::int64_t>(counted_, 1)),
              static_cast<double>(total_) / std::max(shown_, 1e-9), left / 60, left % 60,
              terminal_ ? "  " : "\n");
  std::fflush(stdout);
  loss_ = 0;
  counted_ = 0;
}

void Progress::finish() {
  if (counted_ > 0) show();
  if (terminal_) std::printf("\n");
}

}  // namespace pronounce
