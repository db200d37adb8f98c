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

// The files that may hold a limit: of the group of this process, and of the container around it.
std::vector<std::string> LimitFiles() {
  const std::string root = "/sys/fs/cgroup", old_name = "/memory.limit_in_bytes";
  std::vector<std::string> files = {root + "/memory.max", root + "/memory" + old_name};
  std::string line;  // "0::/path", or of old "4:memory:/path"
  for (std::ifstream groups("/proc/self/cgroup"); std::getline(groups, line);) {
    const size_t at = line.find(":memory:");
    if (line.starts_with("0::")) files.push_back(root + line.substr(3) + "/memory.max");
    if (at != std::string::npos) files.push_back(root + "/memory" + line.substr(at + 8) + old_name);
  }
  return files;
}

}  // namespace

size_t UsableBytes() {
  const auto pages = static_cast<size_t>(std::max(0L, ::sysconf(_SC_PHYS_PAGES)));
  size_t least = pages * static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  for (const std::string& file : LimitFiles()) {
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
