/// How far a run is: a bar that is written over on a terminal, a line now and then elsewhere.
#pragma once

#include <chrono>
#include <cstdint>

namespace pronounce {

class Progress {
 public:
  /// The run ends after so many steps, or, if that is 0, after so many seconds.
  Progress(double seconds, std::int64_t steps);

  /// From 0 to 1.
  double part() const;
  double elapsed() const;
  std::int64_t step() const { return step_; }
  std::int64_t sounds() const { return total_; }

  /// After each step: its loss and the number of sounds it learned from.
  void count(double loss, std::int64_t sounds);
  /// The last word of the bar.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  void show();

  double seconds_;
  std::int64_t steps_;
  bool terminal_;
  Clock::time_point begin_ = Clock::now();
  double shown_ = 0;  // when
  std::int64_t step_ = 0, total_ = 0;
  double loss_ = 0;  // the sum since it was last shown
  std::int64_t counted_ = 0;
};

}  // namespace pronounce
