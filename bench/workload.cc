#include "bench/workload.h"

#include <chrono>
#include <cstdlib>
#include <fstream>

#include "fovea/base/rng.h"

namespace fovea::bench {
namespace {

/// Bytes, from a line such as "VmHWM:   123 kB".
double status(std::string_view field) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(field)) return 1024 * std::stod(line.substr(field.size() + 1));
  }
  return 0;
}

double baseline = 0;

}  // namespace

std::filesystem::path files() {
  const char* folder = std::getenv("FOVEA_BENCH_FILES");
  FOVEA_CHECK(folder, "fovea_bench: FOVEA_BENCH_FILES is not set; start it through bench/run");
  return folder;
}

Segments real_lengths(Dim count) {
  std::vector<Dim> lengths;
  for (Dim i = 0; i < count; ++i) lengths.push_back(8 + (48 * (13 * i % 32) + 15) / 31);
  return Segments::of_lengths(lengths);
}

Segments equal_lengths() { return Segments::uniform(32, 32); }

Tensor normal(Shape shape, double deviation) {
  static Rng rng{.seed = 1};
  const Draws draws = rng.next();
  Tensor t = Tensor::empty(shape);
  float* data = t.mutable_data<float>();
  for (Dim i = 0; i < t.size(); ++i) {
    data[i] = static_cast<float>(deviation) * draws.normal(static_cast<std::uint64_t>(i));
  }
  return t;
}

double seconds_of(const std::function<void()>& run, int times) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < times; ++i) run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / times;
}

void begin_growth() {
  std::ofstream("/proc/self/clear_refs") << 5;  // the peak begins again at what is resident now
  baseline = status("VmRSS");
}

double growth() { return status("VmHWM") - baseline; }

}  // namespace fovea::bench
