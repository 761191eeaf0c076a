#include "fovea/base/cgroup.h"

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace fovea {
namespace {

namespace fs = std::filesystem;

enum class CgroupVersion { one, two };

/// A tree of groups that is mounted: its group `top` is the folder `mount`.
struct CgroupTree {
  CgroupVersion version;
  std::string top, mount;
};

/// Whether a list such as "rw,cpu,cpuacct" has this word.
bool lists_word(const std::string& list, std::string_view word) {
  std::istringstream words(list);
  for (std::string one; std::getline(words, one, ',');) {
    if (one == word) return true;
  }
  return false;
}

/// The trees that can limit CPU time, from /proc/self/mountinfo (proc(5)):
///   36 35 0:30 TOP MOUNT rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct
std::vector<CgroupTree> cgroup_trees(const fs::path& proc) {
  std::vector<CgroupTree> trees;
  std::ifstream in(proc / "self" / "mountinfo");
  for (std::string line; std::getline(in, line);) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::istringstream before(line.substr(0, dash)), after(line.substr(dash + 3));
    std::string id, parent, device, top, mount, type, source, options;
    before >> id >> parent >> device >> top >> mount;
    after >> type >> source >> options;
    if (!before || !after) continue;
    if (type == "cgroup2") trees.push_back({CgroupVersion::two, top, mount});
    if (type == "cgroup" && lists_word(options, "cpu")) {
      trees.push_back({CgroupVersion::one, top, mount});
    }
  }
  // Some sandboxes show the files of the container's group, but not how they are mounted.
  if (trees.empty()) trees.push_back({CgroupVersion::two, "/", "/sys/fs/cgroup"});
  return trees;
}

/// The group of this process, from /proc/self/cgroup (cgroups(7)): "0::/group" of version 2,
/// "4:cpu,cpuacct:/group" of version 1.
std::string own_group(const fs::path& proc, CgroupVersion version) {
  std::ifstream in(proc / "self" / "cgroup");
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    std::string number, controllers, group;
    std::getline(fields, number, ':');
    std::getline(fields, controllers, ':');
    std::getline(fields, group);
    const bool is_two = number == "0" && controllers.empty();
    if (version == CgroupVersion::two ? is_two : lists_word(controllers, "cpu")) return group;
  }
  return "/";
}

/// The path from `top` to `group`; empty if the group is not below it, as in a container that sees
/// only its own part of the tree.
fs::path path_below(const std::string& top, const std::string& group) {
  const fs::path path = fs::path(group).lexically_relative(top);
  return path.empty() || *path.begin() == ".." || path == "." ? fs::path() : path;
}

std::optional<CpuQuota> quota_of_group(CgroupVersion version, const fs::path& folder) {
  CpuQuota quota;
  bool is_set = false;
  if (version == CgroupVersion::two) {  // "150000 100000"; "max 100000" is no limit
    quota.file = folder / "cpu.max";
    is_set = static_cast<bool>(std::ifstream(quota.file) >> quota.time >> quota.period);
  } else {  // -1 is no limit
    quota.file = folder / "cpu.cfs_quota_us";
    is_set = std::ifstream(quota.file) >> quota.time &&
             std::ifstream(folder / "cpu.cfs_period_us") >> quota.period;
  }
  if (!is_set || quota.time <= 0 || quota.period <= 0) return {};
  return quota;
}

}  // namespace

std::optional<CpuQuota> cpu_quota(const fs::path& root) {
  std::optional<CpuQuota> smallest;
  const auto consider = [&](const std::optional<CpuQuota>& quota) {
    if (quota && (!smallest || quota->cores() < smallest->cores())) smallest = quota;
  };
  for (const CgroupTree& tree : cgroup_trees(root / "proc")) {
    fs::path folder = root / fs::path(tree.mount).relative_path();
    consider(quota_of_group(tree.version, folder));
    for (const fs::path& name : path_below(tree.top, own_group(root / "proc", tree.version))) {
      folder /= name;
      consider(quota_of_group(tree.version, folder));
    }
  }
  return smallest;
}

}  // namespace fovea
