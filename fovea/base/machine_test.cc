#include "fovea/base/machine.h"

#include <gtest/gtest.h>

#include <fstream>

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
  EXPECT_GE(machine.cores, 1);
  EXPECT_EQ(machine.quota, 0);
  EXPECT_EQ(machine.load, 1.5);
  EXPECT_EQ(machine.memory, 2048 * 1024);
  EXPECT_EQ(machine.memory_available, 1024 * 1024);

  std::ofstream(root / "sys/fs/cgroup/cpu.max") << "150000 100000\n";
  std::ofstream(root / "sys/fs/cgroup/memory.max") << "1000000\n";
  std::ofstream(root / "sys/fs/cgroup/memory.current") << "400000\n";
  machine = this_machine(root);
  EXPECT_EQ(machine.quota, 1.5);
  EXPECT_EQ(machine.memory, 1000000);
  EXPECT_EQ(machine.memory_available, 600000);
  fs::remove_all(root);
}

TEST(Machine, IsNotKnownWhereNothingIsTold) {
  const Machine machine = this_machine("/nowhere");
  EXPECT_EQ(machine.cpu, "");
  EXPECT_EQ(machine.memory, 0);
  EXPECT_GE(machine.cores, 1);
}

}  // namespace
}  // namespace fovea
