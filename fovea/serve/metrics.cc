#include "fovea/serve/metrics.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "fovea/base/check.h"
#include "fovea/config/config.h"

namespace fovea::serve {
namespace {

std::int64_t now_in_seconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

/// A value of a label, quoted: names of models are up to the user.
std::string quoted(const std::string& value) { return Json(value).dump(); }

std::string head(const std::string& name, const char* type, const std::string& help) {
  return concat("# HELP ", name, " ", help, "\n# TYPE ", name, " ", type, "\n");
}

template <class Series>
std::string counters(const std::string& name, const std::string& help, const Series& series) {
  std::string text = head(name, "counter", help);
  for (const auto& [model, count] : series) {
    text += concat(name, "{model=", quoted(model), "} ", count, "\n");
  }
  return text;
}

}  // namespace

Histogram::Histogram(std::vector<double> bounds)
    : bounds_(std::move(bounds)), counts_(bounds_.size() + 1) {}

void Histogram::add(double value) {
  const auto at = std::lower_bound(bounds_.begin(), bounds_.end(), value);
  ++counts_[static_cast<std::size_t>(at - bounds_.begin())];
  sum_ += value;
}

std::string Histogram::lines(const std::string& name, const std::string& labels) const {
  std::string text;
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    all += counts_[i];
    const std::string bound = i < bounds_.size() ? number(bounds_[i]) : "+Inf";
    text += concat(name, "_bucket{", labels, ",le=\"", bound, "\"} ", all, "\n");
  }
  text += concat(name, "_sum{", labels, "} ", number(sum_), "\n");
  return text + concat(name, "_count{", labels, "} ", all, "\n");
}

void Metrics::Recent::add(std::int64_t now, std::int64_t tokens) {
  const auto at = static_cast<std::size_t>(now % (seconds + 1));
  if (second[at] != now) count[at] = 0;
  second[at] = now;
  count[at] += tokens;
}

double Metrics::Recent::rate(std::int64_t now) const {
  std::int64_t sum = 0;  // of whole seconds only
  for (std::size_t i = 0; i < count.size(); ++i) {
    if (second[i] < now && second[i] >= now - seconds) sum += count[i];
  }
  return static_cast<double>(sum) / static_cast<double>(seconds);
}

void Metrics::request(const std::string& route, int status, double seconds) {
  const std::lock_guard lock(mutex_);
  ++requests_[{route, status}];
  seconds_
      .try_emplace(route, std::vector<double>{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
                                              10, 30, 60})
      .first->second.add(seconds);
}

void Metrics::batch(const std::string& model, std::int64_t rows) {
  const std::lock_guard lock(mutex_);
  rows_.try_emplace(model, std::vector<double>{1, 2, 4, 8, 16, 32, 64, 128, 256, 512})
      .first->second.add(static_cast<double>(rows));
}

void Metrics::tokens(const std::string& model, std::int64_t read, std::int64_t written) {
  const std::lock_guard lock(mutex_);
  read_[model] += static_cast<std::uint64_t>(read);
  written_[model] += static_cast<std::uint64_t>(written);
  recent_.add(now_in_seconds(), written);
}

std::string Metrics::text(const std::vector<Gauge>& gauges) const {
  const std::lock_guard lock(mutex_);
  std::string text = head("fovea_requests_total", "counter", "Requests that were answered");
  for (const auto& [key, count] : requests_) {
    text += concat("fovea_requests_total{route=", quoted(key.first), ",status=\"", key.second,
                   "\"} ", count, "\n");
  }
  text += head("fovea_request_seconds", "histogram", "From a request to the end of its answer");
  for (const auto& [route, histogram] : seconds_) {
    text += histogram.lines("fovea_request_seconds", concat("route=", quoted(route)));
  }
  text += head("fovea_batch_rows", "histogram", "Rows that a model computed together");
  for (const auto& [model, histogram] : rows_) {
    text += histogram.lines("fovea_batch_rows", concat("model=", quoted(model)));
  }
  text += counters("fovea_tokens_read_total", "Tokens of prompts and sources", read_);
  text += counters("fovea_tokens_written_total", "Tokens that models wrote", written_);
  text += head("fovea_tokens_per_second", "gauge", "Tokens written, mean of the last 10 seconds");
  text += concat("fovea_tokens_per_second ", number(recent_.rate(now_in_seconds())), "\n");
  for (const Gauge& gauge : gauges) {
    text += head(gauge.name, gauge.counter ? "counter" : "gauge", gauge.help);
    text += concat(gauge.name, " ", number(gauge.value), "\n");
  }
  return text;
}

double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  double all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

}  // namespace fovea::serve
