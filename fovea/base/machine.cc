#include "fovea/base/machine.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>

namespace fovea {
namespace {

/// The rest of the first line "key : rest"; "" if there is none.
std::string value_of(const std::filesystem::path& file, const std::string& key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(':');
    if (!line.starts_with(key) || colon == std::string::npos) continue;
    const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return "";
}

std::int64_t bytes_of(const std::filesystem::path& file, const std::string& key) {
  const std::string value = value_of(file, key);  // "16384 kB"
  return value.empty() ? 0 : std::strtoll(value.c_str(), nullptr, 10) * 1024;
}

}  // namespace

CpuLimits cpu_limits(const std::filesystem::path& root) {
  const int cores = static_cast<int>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
  cpu_set_t mask;
  CPU_ZERO(&mask);
  const bool known = ::sched_getaffinity(0, sizeof mask, &mask) == 0;
  const char* setting = std::getenv("OMP_NUM_THREADS");  // the name that other programs use too
  return {.setting = std::max(0, setting ? std::atoi(setting) : 0),
          .cores = cores,
          .affinity = known ? std::clamp(CPU_COUNT(&mask), 1, cores) : cores,
          .quota = cpu_quota(root)};
}

DefaultThreads default_threads(const CpuLimits& limits) {
  using Limit = DefaultThreads::Limit;
  if (limits.setting > 0) return {limits.setting, Limit::setting};
  DefaultThreads threads{limits.cores, Limit::cores};
  if (limits.affinity < threads.count) threads = {limits.affinity, Limit::affinity};
  if (limits.quota && std::ceil(limits.quota->cores()) < threads.count) {
    threads = {static_cast<int>(std::ceil(limits.quota->cores())), Limit::quota};
  }
  return threads;
}

Machine this_machine(const std::filesystem::path& root) {
  const std::filesystem::path proc = root / "proc", group = root / "sys" / "fs" / "cgroup";
  Machine machine;
  machine.cpu = value_of(proc / "cpuinfo", "model name");
  machine.cpus = cpu_limits(root);
  machine.memory = bytes_of(proc / "meminfo", "MemTotal");
  machine.memory_available = bytes_of(proc / "meminfo", "MemAvailable");
  std::ifstream(proc / "loadavg") >> machine.load;
  std::int64_t limit = 0;
  if (std::ifstream(group / "memory.max") >> limit && limit > 0 && limit < machine.memory) {
    std::int64_t used = 0;
    std::ifstream(group / "memory.current") >> used;
    machine.memory = limit;
    machine.memory_available = std::clamp<std::int64_t>(limit - used, 0, machine.memory_available);
  }
  return machine;
}

}  // namespace fovea
