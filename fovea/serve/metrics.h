/// What a server counts of itself, as Prometheus reads it (text format 0.0.4).
/// Holds no text of users.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace fovea::serve {

/// Counts of values up to each bound, and of all.
class Histogram {
 public:
  explicit Histogram(std::vector<double> bounds);
  void add(double value);
  /// The lines of one series; `labels` are such as route="/translate", or
  /// empty.
  std::string lines(const std::string& name, const std::string& labels) const;

 private:
  std::vector<double> bounds_;
  std::vector<std::uint64_t> counts_;  // one more than bounds
  double sum_ = 0;
};

/// Any thread may call these.
class Metrics {
 public:
  void request(const std::string& route, int status, double seconds);
  void batch(const std::string& model, std::int64_t rows);
  void tokens(const std::string& model, std::int64_t read, std::int64_t written);

  /// What somebody else knows at the moment: {"fovea_queue", "Requests that
  /// wait", value}.
  struct Gauge {
    std::string name, help;
    double value = 0;
    bool counter = false;  // it only rises
  };
  std::string text(const std::vector<Gauge>& gauges) const;

 private:
  /// Tokens written in each of the last seconds.
  struct Recent {
    static constexpr std::int64_t seconds = 10;
    std::array<std::int64_t, seconds + 1> second{}, count{};
    void add(std::int64_t now, std::int64_t tokens);
    double rate(std::int64_t now) const;
  };

  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, std::uint64_t> requests_;
  std::map<std::string, Histogram> seconds_, rows_;
  std::map<std::string, std::uint64_t> read_, written_;
  Recent recent_;
};

/// Bytes of memory that the process holds.
double resident_bytes();

}  // namespace fovea::serve
