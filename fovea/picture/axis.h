/// From numbers to places on paper, with ticks at round numbers.
#pragma once

#include <string>
#include <vector>

namespace fovea {

enum class Scale { linear, logarithmic };

struct Tick {
  double value;
  std::string label;
};

class Axis {
 public:
  /// Holds [low, high], and on a linear scale reaches on to round numbers; on a logarithmic one
  /// both must be above 0. The place of `low` is `begin`, that of `high` is `end`.
  Axis(double low, double high, Scale scale, double begin, double end);

  double place(double value) const;
  const std::vector<Tick>& ticks() const { return ticks_; }

 private:
  void linear_ticks();
  void logarithmic_ticks();

  double low_, high_;
  Scale scale_;
  double begin_, end_;
  std::vector<Tick> ticks_;
};

}  // namespace fovea
