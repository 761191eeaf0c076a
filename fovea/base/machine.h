/// What this machine has for a program to compute with.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace fovea {

struct Machine {
  std::string cpu;                    // "AMD EPYC 7713"; "" if the system does not tell
  int cores = 1;                      // that this process may run on
  double quota = 0;                   // cores that its container is given time of; 0: no limit
  double load = 0;                    // processes that wanted to run in the last minute
  std::int64_t memory = 0;            // bytes in all, or of the container if that has less
  std::int64_t memory_available = 0;  // without pushing others out
};

/// As Linux tells it in /proc and /sys under `root`.
Machine this_machine(const std::filesystem::path& root = "/");

}  // namespace fovea
