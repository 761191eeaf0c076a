/// What this machine has for a program to compute with, and what limits it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "fovea/base/cgroup.h"

namespace fovea {

/// What limits how many threads of this process can run at once.
struct CpuLimits {
  int setting = 0;                     // OMP_NUM_THREADS; 0: not set
  int cores = 1;                       // that are online
  int affinity = 1;                    // of them, those that this process may run on
  std::optional<CpuQuota> quota = {};  // of its container
};

/// As the environment and the system say; the quota from files under `root`.
CpuLimits cpu_limits(const std::filesystem::path& root = "/");

/// How many threads compute unless set_thread_count says otherwise, and what limits them.
struct DefaultThreads {
  enum class Limit { setting, cores, affinity, quota };
  int count = 1;
  Limit limit = Limit::cores;
};

/// The setting if there is one, else the smallest of the cores, those of the affinity mask, and the
/// quota rounded up to whole cores.
DefaultThreads default_threads(const CpuLimits& limits);

struct Machine {
  std::string cpu;  // "AMD EPYC 7713"; "" if the system does not tell
  CpuLimits cpus = {};
  double load = 0;                    // processes that wanted to run in the last minute
  std::int64_t memory = 0;            // bytes in all, or of the container if that has less
  std::int64_t memory_available = 0;  // without pushing others out
};

/// As Linux tells it in /proc and /sys under `root`.
Machine this_machine(const std::filesystem::path& root = "/");

}  // namespace fovea
