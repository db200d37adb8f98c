#include "base/usable_memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <string>
#include <vector>

namespace gopnet {
namespace {

std::atomic<int> processes{1};

}  // namespace

std::vector<std::string> MemoryLimitFiles(std::istream& groups) {
  const std::string new_tree = "/sys/fs/cgroup", new_name = "/memory.max";
  const std::string old_tree = new_tree + "/memory", old_name = "/memory.limit_in_bytes";
  std::vector<std::string> files = {new_tree + new_name, old_tree + old_name};
  for (std::string line; std::getline(groups, line);) {  // "0::/path", "4:cpu,memory:/path" of old
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos || line[second + 1] != '/') continue;
    const std::string kinds = "," + line.substr(first + 1, second - first - 1) + ",";
    const bool is_new = kinds == ",,";
    if (!is_new && kinds.find(",memory,") == std::string::npos) continue;
    // the least of its own limit and of those of all groups above it
    for (std::string group = line.substr(second + 1); group.size() > 1;
         group.resize(group.rfind('/')))
      files.push_back((is_new ? new_tree : old_tree) + group + (is_new ? new_name : old_name));
  }
  return files;
}

size_t UsableBytes() {
  const auto pages = static_cast<size_t>(std::max(0L, ::sysconf(_SC_PHYS_PAGES)));
  size_t least = pages * static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  std::ifstream groups("/proc/self/cgroup");
  for (const std::string& file : MemoryLimitFiles(groups)) {
    size_t bytes = 0;  // "max": none
    if (std::ifstream(file) >> bytes && bytes > 0) least = std::min(least, bytes);
  }
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    least = std::min(least, static_cast<size_t>(limit.rlim_cur));
  return least;
}

void ShareMemory(int count) { processes = std::max(1, count); }
size_t MemoryShares() { return static_cast<size_t>(processes); }
size_t DefaultMemoryLimit() { return UsableBytes() / 5 * 4 / MemoryShares(); }

}  // namespace gopnet
