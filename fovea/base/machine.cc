#include "fovea/base/machine.h"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <thread>

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

int allowed_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace

Machine this_machine(const std::filesystem::path& root) {
  const std::filesystem::path proc = root / "proc", group = root / "sys" / "fs" / "cgroup";
  Machine machine;
  machine.cpu = value_of(proc / "cpuinfo", "model name");
  machine.cores = allowed_cores();
  machine.memory = bytes_of(proc / "meminfo", "MemTotal");
  machine.memory_available = bytes_of(proc / "meminfo", "MemAvailable");
  std::ifstream(proc / "loadavg") >> machine.load;
  double time = 0, period = 0;  // "max 100000" is no limit and is not read as a number
  if (std::ifstream(group / "cpu.max") >> time >> period && period > 0) {
    machine.quota = time / period;
  }
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
