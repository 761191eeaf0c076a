/// The CPU quota of the container, as Linux control groups set it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace fovea {

/// A group may use `time` of CPU time in each `period`: both in microseconds.
struct CpuQuota {
  std::int64_t time = 0, period = 0;
  std::filesystem::path file = {};  // that sets it

  double cores() const { return static_cast<double>(time) / static_cast<double>(period); }
};

/// The smallest quota on the path from this process's group up to the topmost group that is
/// visible; none if no group has one. Reads version 2 (cpu.max) and version 1 (cpu.cfs_quota_us) of
/// cgroups(7) from /proc and /sys under `root`. A file that is missing or malformed sets no quota.
std::optional<CpuQuota> cpu_quota(const std::filesystem::path& root = "/");

}  // namespace fovea
