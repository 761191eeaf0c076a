#include "fovea/base/cgroup.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace fovea {
namespace {

namespace fs = std::filesystem;

/// A folder with files as Linux has them in /proc and /sys.
class Cgroup : public ::testing::Test {
 protected:
  void SetUp() override { fs::remove_all(root_); }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& file, const std::string& text) {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  /// The tree of version 2 whose group `top` is mounted, and the group of this process.
  void write_version_two(const std::string& top, const std::string& group) {
    write("proc/self/mountinfo",
          "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
          "31 23 0:27 " +
              top + " /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n");
    write("proc/self/cgroup", "0::" + group + "\n");
  }
  /// The same of version 1, beside a tree of version 2 that limits no CPU time.
  void write_version_one(const std::string& top, const std::string& group) {
    write("proc/self/mountinfo",
          "32 31 0:29 " + top +
              " /sys/fs/cgroup/cpu,cpuacct rw shared:8 - cgroup cgroup rw,cpu,cpuacct\n"
              "33 31 0:30 / /sys/fs/cgroup/cpuset rw shared:9 - cgroup cgroup rw,cpuset\n"
              "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
    write("proc/self/cgroup", "9:cpuset:/other\n4:cpu,cpuacct:" + group + "\n0::/\n");
  }
  /// Cores of the quota; 0 if there is none.
  double cores() const {
    const auto quota = cpu_quota(root_);
    return quota ? quota->cores() : 0;
  }

  fs::path root_ = fs::path(::testing::TempDir()) / "cgroup_test";
};

TEST_F(Cgroup, VersionTwoSaysFileTimeAndPeriod) {
  write_version_two("/", "/");
  write("sys/fs/cgroup/cpu.max", "150000 100000\n");
  const auto quota = cpu_quota(root_);
  ASSERT_TRUE(quota);
  EXPECT_EQ(quota->time, 150000);
  EXPECT_EQ(quota->period, 100000);
  EXPECT_EQ(quota->cores(), 1.5);
  EXPECT_EQ(quota->file, root_ / "sys/fs/cgroup/cpu.max");
}

TEST_F(Cgroup, TheSmallestQuotaOnThePathOfGroupsIsTaken) {
  write_version_two("/", "/pod/box/job");
  write("sys/fs/cgroup/pod/cpu.max", "200000 100000\n");
  write("sys/fs/cgroup/pod/box/cpu.max", "max 100000\n");
  write("sys/fs/cgroup/pod/box/job/cpu.max", "800000 100000\n");
  write("sys/fs/cgroup/pod/box/job/child/cpu.max", "100000 100000\n");  // of other processes
  write("sys/fs/cgroup/other/cpu.max", "100000 100000\n");
  EXPECT_EQ(cores(), 2);
  EXPECT_EQ(cpu_quota(root_)->file, root_ / "sys/fs/cgroup/pod/cpu.max");
  write("sys/fs/cgroup/pod/box/job/cpu.max", "25000 50000\n");
  EXPECT_EQ(cores(), 0.5);
}

TEST_F(Cgroup, MaxIsNoQuota) {
  write_version_two("/", "/");
  write("sys/fs/cgroup/cpu.max", "max 100000\n");
  EXPECT_EQ(cores(), 0);
}

TEST_F(Cgroup, VersionOneHasTimeAndPeriodInTwoFiles) {
  write_version_one("/", "/docker/1a2b");
  write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cores(), 0);
  write("sys/fs/cgroup/cpu,cpuacct/docker/1a2b/cpu.cfs_quota_us", "250000\n");
  EXPECT_EQ(cores(), 0);  // the period is missing
  write("sys/fs/cgroup/cpu,cpuacct/docker/1a2b/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cores(), 2.5);
  EXPECT_EQ(cpu_quota(root_)->file,
            root_ / "sys/fs/cgroup/cpu,cpuacct/docker/1a2b/cpu.cfs_quota_us");
}

// A container without a cgroup namespace: its group is mounted, but /proc names the host's path.
TEST_F(Cgroup, TheMountedGroupIsLeftOutOfThePath) {
  write_version_one("/docker/1a2b", "/docker/1a2b/job");
  write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "400000\n");
  write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cores(), 4);
  write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "300000\n");
  write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cores(), 3);
}

TEST_F(Cgroup, OfAGroupOutsideTheMountOnlyTheMountIsRead) {
  write_version_two("/box", "/../elsewhere");
  write("sys/fs/cgroup/cpu.max", "300000 100000\n");
  write("sys/fs/cgroup/elsewhere/cpu.max", "100000 100000\n");
  write("sys/fs/elsewhere/cpu.max", "100000 100000\n");
  EXPECT_EQ(cores(), 3);
}

TEST_F(Cgroup, MalformedFilesSetNoQuota) {
  write_version_two("/", "/box");
  write("sys/fs/cgroup/cpu.max", "300000 100000\n");
  for (const char* text : {"", "\n", "lots of time", "100000", "0 100000", "-1 100000", "100000 0",
                           "100000 -5", "9999999999999999999999 100000", "100000x 100000"}) {
    write("sys/fs/cgroup/box/cpu.max", text);
    EXPECT_EQ(cores(), 3) << text;
  }
  write("proc/self/cgroup", "nonsense\n::\n");
  EXPECT_EQ(cores(), 3);
  write("proc/self/mountinfo", "nonsense\n - \n1 2 - cgroup2\n");
  EXPECT_EQ(cores(), 3);
}

TEST_F(Cgroup, WithoutMountsTheUsualFolderIsRead) {
  EXPECT_EQ(cores(), 0);
  write("sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_EQ(cores(), 2);
}

}  // namespace
}  // namespace fovea
