#include "fovea/base/machine.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>

namespace fovea {
namespace {

namespace fs = std::filesystem;

TEST(Machine, IsReadAsLinuxTellsIt) {
  const fs::path root = fs::path(::testing::TempDir()) / "machine_test";
  fs::create_directories(root / "proc");
  fs::create_directories(root / "sys/fs/cgroup");
  std::ofstream(root / "proc/cpuinfo") << "processor\t: 0\nmodel name\t: Some CPU\n";
  std::ofstream(root / "proc/meminfo") << "MemTotal:  2048 kB\nMemAvailable:  1024 kB\n";
  std::ofstream(root / "proc/loadavg") << "1.50 1.00 0.50 1/100 1\n";
  std::ofstream(root / "sys/fs/cgroup/cpu.max") << "max 100000\n";
  Machine machine = this_machine(root);
  EXPECT_EQ(machine.cpu, "Some CPU");
  EXPECT_GE(machine.cpus.affinity, 1);
  EXPECT_FALSE(machine.cpus.quota);
  EXPECT_EQ(machine.load, 1.5);
  EXPECT_EQ(machine.memory, 2048 * 1024);
  EXPECT_EQ(machine.memory_available, 1024 * 1024);

  std::ofstream(root / "sys/fs/cgroup/cpu.max") << "150000 100000\n";
  std::ofstream(root / "sys/fs/cgroup/memory.max") << "1000000\n";
  std::ofstream(root / "sys/fs/cgroup/memory.current") << "400000\n";
  machine = this_machine(root);
  ASSERT_TRUE(machine.cpus.quota);
  EXPECT_EQ(machine.cpus.quota->cores(), 1.5);
  EXPECT_EQ(machine.memory, 1000000);
  EXPECT_EQ(machine.memory_available, 600000);
  fs::remove_all(root);
}

TEST(Machine, IsNotKnownWhereNothingIsTold) {
  const Machine machine = this_machine("/nowhere");
  EXPECT_EQ(machine.cpu, "");
  EXPECT_EQ(machine.memory, 0);
  EXPECT_GE(machine.cpus.cores, 1);
}

TEST(Machine, CountsTheCoresOfTheAffinityMask) {
  cpu_set_t before;
  ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(::sched_getcpu(), &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  const CpuLimits limits = cpu_limits("/nowhere");
  ::sched_setaffinity(0, sizeof before, &before);
  EXPECT_EQ(limits.affinity, 1);
  EXPECT_GE(limits.cores, CPU_COUNT(&before));
}

TEST(Machine, ReadsTheSettingOfThreads) {
  const char* found = std::getenv("OMP_NUM_THREADS");
  const std::optional<std::string> before =
      found ? std::optional<std::string>(found) : std::nullopt;
  const auto setting = [](const char* text) {
    ::setenv("OMP_NUM_THREADS", text, 1);
    return cpu_limits("/nowhere").setting;
  };
  EXPECT_EQ(setting("3"), 3);
  EXPECT_EQ(setting("0"), 0);
  EXPECT_EQ(setting("-2"), 0);
  EXPECT_EQ(setting("many"), 0);
  ::unsetenv("OMP_NUM_THREADS");
  EXPECT_EQ(cpu_limits("/nowhere").setting, 0);
  if (before) ::setenv("OMP_NUM_THREADS", before->c_str(), 1);
}

TEST(Machine, TheSmallestLimitIsTheDefaultNumberOfThreads) {
  using Limit = DefaultThreads::Limit;
  const auto expect = [](const CpuLimits& limits, int count, Limit limit) {
    const DefaultThreads threads = default_threads(limits);
    EXPECT_EQ(threads.count, count);
    EXPECT_EQ(threads.limit, limit);
  };
  const auto quota = [](std::int64_t time) { return CpuQuota{.time = time, .period = 100000}; };
  expect({.cores = 8, .affinity = 8}, 8, Limit::cores);
  expect({.cores = 8, .affinity = 3}, 3, Limit::affinity);
  expect({.cores = 8, .affinity = 8, .quota = quota(800000)}, 8, Limit::cores);
  expect({.cores = 8, .affinity = 8, .quota = quota(400000)}, 4, Limit::quota);
  expect({.cores = 8, .affinity = 8, .quota = quota(150000)}, 2, Limit::quota);
  expect({.cores = 8, .affinity = 8, .quota = quota(1000)}, 1, Limit::quota);
  expect({.setting = 12, .cores = 8, .affinity = 2, .quota = quota(150000)}, 12, Limit::setting);
  expect({.cores = 8, .affinity = 2, .quota = quota(150000)}, 2, Limit::affinity);
  expect({.cores = 8, .affinity = 4, .quota = quota(std::int64_t(1) << 60)}, 4, Limit::affinity);
}

}  // namespace
}  // namespace fovea
