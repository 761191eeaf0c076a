#include "fovea/picture/axis.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "fovea/base/check.h"

namespace fovea {
namespace {

constexpr double wanted_ticks = 6;

/// 20k for 20000, 1.5M for 1500000; six digits at most.
std::string label_of(double value) {
  const char* unit = "";
  if (std::abs(value) >= 1e4 && std::abs(value) < 1e12) {
    for (const char* next : {"k", "M", "G"}) {
      if (std::abs(value) < 1e3) break;
      value /= 1e3;
      unit = next;
    }
  }
  std::array<char, 32> out;
  std::snprintf(out.data(), out.size(), "%.6g%s", value, unit);
  return out.data();
}

/// 1, 2 or 5 times a power of ten, and not below `step`.
double round_step(double step) {
  const double power = std::pow(10, std::floor(std::log10(step)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (digit * power >= step * (1 - 1e-9)) return digit * power;
  }
  return 10 * power;
}

}  // namespace

Axis::Axis(double low, double high, Scale scale, double begin, double end)
    : low_(low), high_(high), scale_(scale), begin_(begin), end_(end) {
  FOVEA_CHECK(std::isfinite(low) && std::isfinite(high) && low <= high, "axis: from ", low, " to ",
              high);
  if (scale == Scale::linear) {
    linear_ticks();
  } else {
    FOVEA_CHECK(low > 0, "axis: a logarithmic scale cannot hold ", low);
    logarithmic_ticks();
  }
}

double Axis::place(double value) const {
  const bool log = scale_ == Scale::logarithmic;
  const auto f = [log](double v) { return log ? std::log10(v) : v; };
  return begin_ + (end_ - begin_) * (f(value) - f(low_)) / (f(high_) - f(low_));
}

void Axis::linear_ticks() {
  // A span too small to be seen in a double, or none, becomes one about its middle.
  const double least = std::max(std::abs(low_), std::abs(high_)) * 1e-9;
  if (high_ - low_ <= least) {
    const double half = low_ == 0 ? 1 : std::abs(low_) / 2;
    low_ -= half;
    high_ += half;
  }
  const double step = round_step((high_ - low_) / wanted_ticks);
  const double first = std::floor(low_ / step + 1e-9), last = std::ceil(high_ / step - 1e-9);
  for (double i = first; i <= last; ++i) ticks_.push_back({i * step, label_of(i * step)});
  low_ = first * step;
  high_ = last * step;
}

void Axis::logarithmic_ticks() {
  if (high_ < low_ * 1.5) {
    low_ /= 1.5;
    high_ *= 1.5;
  }
  const double first = std::floor(std::log10(low_)), last = std::ceil(std::log10(high_));
  const double span = std::log10(high_ / low_);
  const double stride = std::ceil(span / (2 * wanted_ticks));  // of decades that have a tick
  for (double power = first; power <= last; power += stride) {
    for (const double digit : {1.0, 1.5, 2.0, 3.0, 5.0, 7.0}) {
      // The shorter the axis, the more numbers between two powers of ten are named.
      const bool named = digit == 1 || (span < 3 && (digit == 2 || digit == 5)) || span < 0.8;
      const double value = digit * std::pow(10, power);
      if (named && value >= low_ * (1 - 1e-9) && value <= high_ * (1 + 1e-9)) {
        ticks_.push_back({value, label_of(value)});
      }
    }
  }
}

}  // namespace fovea
