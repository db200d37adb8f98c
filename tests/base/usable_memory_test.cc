#include "base/usable_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace gopnet {
namespace {

bool Looks(const std::string& groups, const std::string& file) {
  std::istringstream text(groups);
  const std::vector<std::string> files = MemoryLimitFiles(text);
  return std::count(files.begin(), files.end(), file) == 1;
}

TEST(UsableMemory, TheLimitsOfAllGroupsAboveCount) {
  const std::string now = "0::/user.slice/job:7/step\n", root = "/sys/fs/cgroup";
  for (const char* group : {"", "/user.slice", "/user.slice/job:7", "/user.slice/job:7/step"})
    EXPECT_TRUE(Looks(now, root + group + "/memory.max")) << group;
}

TEST(UsableMemory, OfOldGroupsThoseOfMemoryCount) {
  const std::string old = "5:cpuset:/other\n4:cpu,memory:/slurm/job_7\n0::/\nnonsense\n1:memory:\n";
  const std::string root = "/sys/fs/cgroup/memory";
  for (const char* group : {"", "/slurm", "/slurm/job_7"})
    EXPECT_TRUE(Looks(old, root + group + "/memory.limit_in_bytes")) << group;
  EXPECT_FALSE(Looks(old, root + "/other/memory.limit_in_bytes"));
}

TEST(UsableMemory, WithoutGroupsTheContainerIsAsked) {
  EXPECT_TRUE(Looks("", "/sys/fs/cgroup/memory.max"));
  EXPECT_TRUE(Looks("", "/sys/fs/cgroup/memory/memory.limit_in_bytes"));
}

}  // namespace
}  // namespace gopnet
